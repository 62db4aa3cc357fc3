/*
 * Which environment variables a recording keeps. People attach recordings to bug reports, so: those that the program was seen to read, and
 * those that libc, the loader and run-time libraries obey by themselves. Values that look like secrets are replaced by a digest. Arguments
 * are kept with secrets masked; the digest of the whole argument N is kept as that of a variable SIMUL_ARG_N, which a replay reads.
 */
#ifndef SIMUL_KEPT_ENV_H
#define SIMUL_KEPT_ENV_H

#include <stdbool.h>

#include "base/session.h"
#include "recorder/recording.h"

struct env_reads {
	const struct session_reads *reads; /* written by the target, so every byte is checked */
	const char *maps;                  /* /proc/PID/maps of the process, to find code that uses `environ`; NULL: keep all variables */
	const struct recording *also;      /* keep the variables of this recording too; NULL: none */
};

#define KEPT_ARGUMENT "SIMUL_ARG_" /* its index follows */

/* Sets r->start.env and r->start.hidden from the program's environment `env`. */
void kept_env(struct recording *r, char *const *env, const struct env_reads *seen);

/* Sets r->start.argv from the program's arguments, masked, and adds the digests of masked ones to r->start.hidden. */
void kept_arguments(struct recording *r, char *const *argv);

/* Returns the variables that give a replay the arguments that kept_arguments masks. The list is NULL-terminated; everything is malloc()ed. */
char **kept_argument_variables(char *const *argv);

/* Returns whether an entry of r->hidden is that of an argument. Then *index is the index of the argument. */
bool kept_argument_index(const char *hidden, size_t *index);

/* Like kept_env for a program that has read all variables. */
void kept_env_all(struct recording *r, char *const *env);

/* Returns whether a recording may keep "NAME=value": it keeps no secrets, and nothing that only describes the terminal or the login. */
bool kept_env_matters(const char *entry);

/* Returns the variables of simul's own environment that no recording keeps (terminal, secrets), for target.spare. The array is malloc()ed,
   the text is not. */
char **kept_env_spare(void);

#endif
