/* The result of a search as JSON. */
#ifndef SIMUL_VERDICT_JSON_H
#define SIMUL_VERDICT_JSON_H

#include <stdbool.h>

struct run;

/* Writes --json. false: one message was printed. */
bool json_write(const struct run *run);

#endif
