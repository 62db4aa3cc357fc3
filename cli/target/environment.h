/* The environment in which the program runs. */
#ifndef SIMUL_ENVIRONMENT_H
#define SIMUL_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ENVIRONMENT_SESSION_FD 200 /* high, so that the program's own descriptors get their usual numbers */
#define ENVIRONMENT_COMMON_FD 199  /* memory shared by several workers */

/*
 * The environment is at the top of the first stack, so its size determines the address of every frame below it, and with it the names of
 * that memory in a schedule. A schedule is followed with an environment of the same size.
 */
struct environment_size {
	uint32_t entries, bytes; /* terminators included; 0: any size will do */
};

/*
 * Builds an environment from the variables of `env` (a set RUST_BACKTRACE becomes 0), simul's own with `library` as LD_PRELOAD, GOMP_SPINCOUNT=0 unless `env` configures how
 * OpenMP waits, and as many of `spare` (may be NULL) as fit. If a size is wanted, the rest is filled with variables called "_", or with
 * colons in LD_PRELOAD. Everything is malloc()ed. If the wanted size is impossible (env alone is larger), the result has another size.
 * `env` and `spare` are NULL-terminated.
 */
char **environment_build(char *const *env, char *const *spare, const char *library,
	struct environment_size wanted);
void environment_free(char **env);
struct environment_size environment_size(char *const *env);

#endif
