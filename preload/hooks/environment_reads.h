/*
 * Which environment variables the program sees: a recording keeps no others, since people attach recordings to bug reports. What libc reads for
 * itself, and programs that look at `environ`, are the supervisor's to think of (cli/kept_env.h).
 */
#ifndef SIMUL_READS_H
#define SIMUL_READS_H

/* Others may see all of them: the program starts a process or becomes another program. */
void reads_all(void);
/* ctl_session has been set: what was seen before is noted there. */
void reads_begin(void);

#endif
