/*
 * Records in the session which environment variables the program reads. A recording keeps these and no others, because people attach
 * recordings to bug reports. The supervisor adds what libc reads for itself, and handles programs that use `environ` directly
 * (cli/collect/kept_env.h).
 */
#ifndef SIMUL_ENVIRONMENT_READS_H
#define SIMUL_ENVIRONMENT_READS_H

/* Records that all variables may be read, because the program starts a process or calls exec. May be called at any time. */
void reads_all(void);
/* Moves the names that were noted so far to the session. Once, in the constructor, after ctl_session is set. */
void reads_begin(void);

#endif
