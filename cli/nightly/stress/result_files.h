/* The result files: --junit, --sarif, --json. */
#ifndef SIMUL_STRESS_RESULT_FILES_H
#define SIMUL_STRESS_RESULT_FILES_H

#include "cli/nightly/stress/stress.h"

struct verdict;

/* Checks before the search that the files can be written. false: one message was printed. */
bool files_check(const struct stress *s);
/* Writes all requested files. false: one message was printed for each failure. */
bool files_write(const struct stress *s, int code);

/* Loads what --junit needs; junit_write needs it. false: one message was printed. */
bool junit_check(void);
bool junit_write(const struct stress *s, const char *path);
json_t *sarif_object(const struct stress *s, int code);
/* `simul run --sarif`: writes the bugs of one search, with its verdict, whose exit status is `code`. false: one message was printed. */
bool sarif_write_run(const struct verdict *v, int code);

#endif
