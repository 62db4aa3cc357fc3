/* The result of a search as JSON. */
#ifndef SIMUL_VERDICT_JSON_H
#define SIMUL_VERDICT_JSON_H

#include <stdbool.h>

struct verdict;

/* Writes --json. false: one message was printed. */
bool json_write(const struct verdict *v);

#endif
