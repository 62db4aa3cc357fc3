/* The event of starting a child process; see hook_process.c. */
#ifndef SIMUL_CHILDREN_H
#define SIMUL_CHILDREN_H

/* Call it before the program starts a process, between ctl_enter and ctl_leave. It performs the event, on which waits for children depend,
   and notes what follows for rewinding, other workers and the recording. */
void children_starting(const void *pc);

#endif
