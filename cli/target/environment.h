/* The environment in which the program runs. */
#ifndef SIMUL_ENVIRONMENT_H
#define SIMUL_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ENVIRONMENT_SESSION_FD 200 /* high, so that the program's own descriptors get their usual numbers */
#define ENVIRONMENT_COMMON_FD 199  /* what several workers share */

/*
 * The environment lies at the top of the first stack: its size decides where every frame below it lies, and
 * so what memory on that stack is called in a schedule. A schedule is followed with an environment of the same size.
 */
struct environment_size {
	uint32_t entries, bytes; /* terminators included; 0: any size will do */
};

/*
 * The variables of `env`, those of simul's own with `library` as LD_PRELOAD, GOMP_SPINCOUNT=0 unless `env` says how OpenMP
 * waits, and of `spare` (may be NULL) as many as there is room for. With a wanted size the rest is filled with variables
 * called "_", or with colons in LD_PRELOAD. All malloc()ed; when it cannot have the wanted size (env alone is larger) it has
 * another. `env` and `spare` are NULL-terminated.
 */
char **environment_build(char *const *env, char *const *spare, const char *library,
	struct environment_size wanted);
void environment_free(char **env);
struct environment_size environment_size(char *const *env);

#endif
