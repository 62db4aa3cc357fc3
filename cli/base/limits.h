/* Errors that a limit of the shell or the container may be the cause of. */
#ifndef SIMUL_LIMITS_H
#define SIMUL_LIMITS_H

#include <stdbool.h>

/* What to put behind strerror(error): " (a limit on open files? ulimit -n)", or "". */
const char *limit_hint(int error);

/* May this process, and what it starts, have as many descriptors as a session needs? false: one message was printed. */
bool limit_allows_session(void);

#endif
