/* The files of results: --junit, --sarif, --json. */
#ifndef SIMUL_STRESS_RESULT_FILES_H
#define SIMUL_STRESS_RESULT_FILES_H

#include "cli/stress/stress.h"

/* Can they be written? Asked before hours of searching. false: one message was printed. */
bool files_check(const struct stress *s);
/* Writes all that are wanted. false: one message was printed for each that could not be. */
bool files_write(const struct stress *s, int code);

bool junit_write(const struct stress *s, const char *path);
json_t *sarif_object(const struct stress *s, int code);

#endif
