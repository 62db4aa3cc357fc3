/* Errors that a limit of the shell or the container may be the cause of. */
#ifndef SIMUL_LIMITS_H
#define SIMUL_LIMITS_H

/* What to put behind strerror(error): " (a limit on open files? ulimit -n)", or "". */
const char *limit_hint(int error);

#endif
