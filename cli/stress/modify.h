/* CTest's ENVIRONMENT_MODIFICATION. */
#ifndef SIMUL_STRESS_MODIFY_H
#define SIMUL_STRESS_MODIFY_H

#include <jansson.h>

/*
 * `env` ("NAME=value" beside what we have; NULL: none; taken over), modified by the "NAME=OPERATION:VALUE" of `list`, in their order. A variable
 * to be unset is a "NAME" alone. *unknown: an operation that is not known, borrowed from the list; NULL: none.
 */
char **modify_environment(char **env, const json_t *list, const char **unknown);

#endif
