/* Child processes of the program (hook_process.c). */
#ifndef SIMUL_CHILDREN_H
#define SIMUL_CHILDREN_H

/* Call it before the program forks, between ctl_enter and ctl_leave. It performs the event on which waits for children depend, and records the
   consequences for rewinding, other workers and the recording. The child may look at the memory and the locks of the program. */
void children_forking(const void *pc);

/* Notes that a native child created a thread, which nothing controls. For the hook of pthread_create in a process without control. Does
   nothing in a process that was never under control. */
void children_note_native_thread(void);

/* Notes that a native child sets a timer, which may end or wake it. For the hooks of timers in a process without control. */
void children_note_timer(void);

/* Switches control off in the child of a native fork. */
void ctl_become_native(void);

#endif
