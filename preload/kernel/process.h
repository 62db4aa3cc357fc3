/* Processes that the program starts, and who is who; see hook_process.c. */
#ifndef SIMUL_PROCESS_H
#define SIMUL_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "sched/event.h"
#include "sched/ids.h"

/* A native child created a thread: nobody controls it. Called by the hook of pthread_create when
   control is off; does nothing in a process that was never under control. */
void process_note_native_thread(void);

/* The pid that the program believes it has: that of the process in which it was started. */
pid_t process_pid(void);
/* gettid() of the running thread: T0's is the pid. And back; NO_THREAD when it is none of ours. */
pid_t process_tid(void);
thread_id process_thread_of_tid(pid_t tid);
/* A number of a process or thread as the program has it, for a system call: 0, which means the caller, for its own. */
pid_t process_kernel_id(pid_t id);
/* Does the number name the program itself? */
bool process_is_self(pid_t pid);
/* The number that the kernel knows the running process by. */
pid_t process_kernel_pid(void);
/* What a process is to the program. */
enum process_standing {
	PROCESS_OURS,     /* the program itself, or what it started */
	PROCESS_STRANGER, /* neither it nor simul has anything to do with it; or it is gone */
	PROCESS_KEEPER,   /* simul, or what started simul */
};
/* A negative number is a process group, -1 all processes. Legal at any time; reads /proc. */
enum process_standing process_standing(pid_t pid);
/* Ends the session when `call` is about to act on a keeper. Inside simul. */
void process_refuse_keeper(pid_t pid, const char *call);
/* `call` may change what is set for a process: true unless that is a keeper. Then it ends the session; where nothing is controlled it
   returns false with errno set. Outside of simul. */
bool process_may_change(pid_t pid, const char *call);
/* The same for a system call that a native child makes with these arguments: true for all that do not reach other processes. */
bool process_call_allowed(long n, const long a[6]);
/* A signal may be sent: false when it would reach a keeper, from a process where nothing is controlled; the verdict says so. */
bool process_may_signal(pid_t pid, int sig);

/* Has the program children that have not been waited for? They were started in this execution. */
bool process_has_children(void);

/* Bumped when a thread has done something that a child may have waited for. */
extern unsigned process_wakeups;

/* A wait for a child, op.arg[0] of a PROCESS_WAIT. */
struct child_wait {
	int idtype;
	id_t id;
	int options;  /* of waitid */
	bool patient; /* it has been given its time */
	unsigned wakeups; /* process_wakeups then */
};

/* Is its child ready? Gives the child its time: at first, and when a thread may have woken it since. */
bool process_ready_in_time(struct child_wait *w);

/* Is the PROCESS_WAIT operation ready? */
bool process_wait_ready(const struct op *op);

/* The one object that stands for the table of children. */
object_id process_object(void);

#endif
