/* Hints for errors that a limit of the shell or the container may cause. */
#ifndef SIMUL_LIMITS_H
#define SIMUL_LIMITS_H

#include <stdbool.h>

/* Returns text to append to strerror(error): " (the limit on open files is too small: ulimit -n 256)", or "". */
const char *limit_hint(int error);

/* Checks that this process and its children may open the descriptors that a session needs. false: one message was printed. */
bool limit_allows_session(void);

#endif
