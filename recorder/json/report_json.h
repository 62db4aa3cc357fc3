#ifndef SIMUL_REPORT_JSON_H
#define SIMUL_REPORT_JSON_H

#include <stdio.h>

#include "recorder/recording.h"

/* `simul show --json`: writes one JSON object and a newline. Returns 0, or -errno when writing failed. */
int report_json(FILE *out, const struct recording *r);

#endif
