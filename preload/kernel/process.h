/* Processes that the program starts, and process ids as the program sees them. */
#ifndef SIMUL_PROCESS_H
#define SIMUL_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "sched/event.h"
#include "sched/ids.h"

/* Returns the pid that the program sees: the pid of the process in which the program was started. */
pid_t process_pid(void);
/* Returns gettid() of the running thread as the program sees it; T0 has the pid. */
pid_t process_tid(void);
/* Returns the thread with this tid; NO_THREAD: the program has none. */
thread_id process_thread_of_tid(pid_t tid);
/* Like process_thread_of_tid, but also finds threads that have ended. */
thread_id process_any_thread_of_tid(pid_t tid);
/* Converts an id that the program passes to a system call. The program's own ids become 0, which means the caller; with kernel threads those of
   other threads become the kernel's. */
pid_t process_kernel_id(pid_t id);
/* Returns whether the number names the program itself. */
bool process_is_self(pid_t pid);
/* Returns the kernel's pid of the running process. */
pid_t process_kernel_pid(void);
/* The relation of a process to the program. */
enum process_standing {
	PROCESS_OURS,     /* the program itself, or a process that it started */
	PROCESS_STRANGER, /* unrelated to the program and simul, or gone */
	PROCESS_KEEPER,   /* simul, or a process that started simul */
};
/* Returns the standing of a process. A negative pid is a process group, -1 all processes. Legal at any time; reads /proc. */
enum process_standing process_standing(pid_t pid);
/* Ends the session if pid is a keeper, or -1. `call` is the function that the program called. Inside simul. */
void process_refuse_keeper(pid_t pid, const char *call);
/* Returns whether `call` may change settings of process pid. If it is a keeper, this ends the session; in a process without control it
   returns false with errno set. Outside of simul. */
bool process_may_change(pid_t pid, const char *call);
/* Returns whether a native child may make the system call with these arguments; true for calls that do not reach other processes. */
bool process_call_allowed(long n, const long a[6]);
/* Returns whether a native child may send the signal. If the signal would reach a keeper, sets errno to EPERM, and the verdict mentions it. */
bool process_may_signal(pid_t pid, int sig);

/* Returns whether the program has children, started in this execution, that it has not waited for. */
bool process_has_children(void);
/* The program has started a process. Such a process may have started others, which are no children of the program. */
extern bool process_started;

/* Incremented when a thread has done something that a child may have waited for. */
extern unsigned process_wakeups;
/* Incremented when a thread has read from a descriptor, which may have made another operation of the program ready. */
extern unsigned process_reads;

/* The real time that an operation has given another process to make it ready. All zeros: none yet. */
struct process_patience {
	bool over;
	unsigned wakeups, reads; /* process_wakeups and process_reads when it was over */
	uint32_t events;         /* of the execution at that time */
};

/*
 * Returns whether an operation that another process can make ready is ready. ready_within(what, ms) waits for that, at
 * most ms of real time. At the first call the process gets a second, so that its speed does not matter, later 10 ms
 * if a thread may have woken it since. If it makes the operation ready by itself after that, while threads ran, orders
 * were lost, and the verdict names them. pc: of the operation.
 */
bool process_patient(struct process_patience *p, bool (*ready_within)(const void *what, unsigned ms), const void *what,
	uint64_t pc);

/* A wait for a child. op.arg[0] of a PROCESS_WAIT points to it. */
struct child_wait {
	int idtype;
	id_t id;
	int options;  /* of waitid */
	uint64_t began; /* real time in ns at which the wait began */
	struct process_patience patience;
};

/* Returns the real time in ns. */
uint64_t process_real_time(void);

/* Returns whether the awaited child is ready. Gives it real time as process_patient does. pc: of the wait. */
bool process_ready_in_time(struct child_wait *w, uint64_t pc);

/*
 * Call it before the program looks at descriptors. A child that is writing or ending gets a little real time until it
 * sleeps or has ended, so that its speed does not decide how many bytes there are, or which descriptors are ready.
 */
void process_settle(void);

/* Returns whether the PROCESS_WAIT operation is ready. */
bool process_wait_ready(const struct op *op);

/* Returns the object that stands for all children. */
object_id process_object(void);

#endif
