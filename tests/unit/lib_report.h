/* Reports as strings. */
#ifndef SIMUL_TESTS_LIB_REPORT_H
#define SIMUL_TESTS_LIB_REPORT_H

#include <stdio.h>

#include "recorder/report/report.h"

typedef void (*reporter)(FILE *out, const struct recording *r, const struct report_options *options);

/* Returns what the report prints, malloc()ed. */
char *report_to_text(reporter report, const struct recording *r, struct report_options o);

#endif
