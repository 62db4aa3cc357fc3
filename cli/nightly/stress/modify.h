/* CTest's ENVIRONMENT_MODIFICATION. */
#ifndef SIMUL_STRESS_MODIFY_H
#define SIMUL_STRESS_MODIFY_H

#include <jansson.h>

/*
 * Applies the "NAME=OPERATION:VALUE" entries of `list`, in order, to `env` ("NAME=value" added to our environment; NULL: none; taken over),
 * and returns the result. A variable to be unset is a "NAME" alone. *unknown: an unsupported operation, borrowed from the list; NULL: none.
 */
char **modify_environment(char **env, const json_t *list, const char **unknown);

#endif
