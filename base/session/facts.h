/* What the target found out about the program, for the verdict. */
#ifndef SIMUL_SESSION_FACTS_H
#define SIMUL_SESSION_FACTS_H

#include <stdint.h>

#include "base/session/limits.h"

/* Where the program did something: the first places that differ. Return addresses. */
struct session_callers {
	uint32_t n;    /* in pc[]; SESSION_CALLERS + 1: there are more. May be 0 although it was done */
	uint32_t done; /* 1: it was done */
	uint64_t pc[SESSION_CALLERS];
};

/* What the program did, while several threads lived, that simul does not explore (preload/control/exceptions.h). */
enum session_exception {
#define EXCEPTION(name, words) EXCEPT_##name,
#include "base/exceptions.def"
#undef EXCEPTION
	EXCEPTIONS
};

/* libc functions that the program called while it had several threads, and whose accesses are not observed. */
struct session_unseen {
	uint32_t n; /* functions in name[]; SESSION_UNSEEN + 1: there are more than name[] holds */
	char name[SESSION_UNSEEN][28];
	struct session_callers at[SESSION_UNSEEN];
};

/* Which environment variables the program has seen, in all its processes so far. */
struct session_reads {
	uint32_t all;   /* 1: assume that it has seen all variables, because it starts other programs or the names do not fit */
	uint32_t bytes; /* bytes of the names, each with its terminator */
	char name[SESSION_READS];
};

/* What a thread was doing when the exit of the process stopped it. */
enum cut_short {
	CUT_RUNNING = 1, /* the thread was still running: the exit was forced (sched/late_exit.h) */
	CUT_WAITING = 2, /* the thread waited for another process, which might have ended the wait later */
};

/* Threads that waited for each other when the process ended with status 0 (sched/circle.h). */
struct session_circles {
	uint64_t executions; /* of this search, that ended so */
	uint32_t n;          /* threads of the first one's circle, each followed by the one that it waits for; thread[] may hold fewer */
	uint32_t others;     /* 1: another execution ended with another circle */
	struct {
		uint32_t id;     /* thread_id */
		uint32_t pad_;
		uint64_t pc;     /* return address of the call, or of the access, that waits */
	} thread[SESSION_CIRCLE];
};

enum trust_misses {
	TRUST_HANDLERS = 1, /* ran signal handlers */
	TRUST_REQUEUES = 2, /* moved waiters to another futex */
};

/* The latest trial of life/what_if.h: the operations of the thread after the loop. */
struct session_what_if_op {
	uint64_t what, state; /* hashes; state 0: unknown */
};
struct session_what_if {
	uint32_t result, n;
	struct session_what_if_op op[SESSION_WHAT_IF];
};

/* Facts about threads that the program schedules itself, as the target found them (preload/cooperative/). */
enum cooperative_bits {
	SYSTEMC_RESET_UNSEEN = 1, /* a signal reset a method unexpectedly; later processes kept their own order */
	COROUTINES_RAN = 2,       /* the program switched between coroutines, which its own code ordered */
	SYSTEMC_LOADED = 4,       /* libsystemc was loaded */
};

/* The policies that had part in this search: POLICY_BIT of sched/policy.h. */
struct session_policies {
	uint32_t ran;     /* the search ordered threads by it */
	uint32_t unknown; /* simul does not know the scheduler's data, so its threads kept their own order */
	uint32_t full;    /* more threads could run than a choice has values; from there on they kept their own order */
	uint32_t unused;
	char path[SESSION_MESSAGE]; /* of the library of an unknown scheduler */
};

/* What the program, and simul's model of it, did in all executions so far. */
struct session_facts {
	uint32_t randomised;      /* 1: memory of the main process is at random addresses */
	uint32_t native_children; /* processes started by the program that created threads outside simul's control */
	uint32_t child_timers;    /* 1: a process that the program forked set a timer; by that process */
	uint32_t cut_short;       /* enum cut_short: bits, for executions of this search that ended by an exit with status 0 */
	uint32_t cut_short_thread; /* thread_id of a thread that could have continued */
	uint32_t trust_misses;    /* enum trust_misses: what executions did of which --strategy trust misses orders */
	struct session_circles circles;
	uint32_t time_forced;     /* 1: an execution had a forced timeout (sched/patience.h) */
	uint32_t ran_on;          /* 1: an execution of this search ran on (preload/control/run_on.h) */
	uint32_t endless;         /* 1: an execution that ran on did not end */
	uint32_t outside;         /* 1: an execution changed state that other processes see (files, ports, processes) */
	uint32_t uncontrolled;    /* number of calls that simul does not model although they matter */
	uint32_t own_settings;    /* enum thread_setting (preload/kernel/thread_state.h): settings that one of several threads changed */
	uint64_t heap_low_at, heap_low_bytes; /* preload/memory/heap.h */
	uint64_t arena_most;      /* the most bytes of its private memory that an execution used (ctl_arena_check) */
	uint32_t arena_written;   /* 1: the program wrote to the private memory after these bytes */
	uint32_t cooperative;     /* enum cooperative_bits */
	uint32_t named_functions; /* bit i: the program has a function that the i-th pattern of --lock and --leave-out names (the first 32) */
	uint32_t left_out;        /* bit i: functions are left out because lock_owner i says so */
	uint32_t one_step;        /* bit i: calls of functions were taken as one step because lock_owner i says so */
	uint32_t task_pieces;     /* 1: pieces of a library's code were taken as one step (preload/kernel/task_order.h) */
	uint32_t own_allocator;   /* 1: a library did without an allocator of its own (preload/modules/own_allocator.h) */
	struct session_unseen unseen;
	struct session_callers exception[EXCEPTIONS];
	char uncontrolled_what[SESSION_MESSAGE]; /* the first call that `uncontrolled` counts */
	char outside_what[SESSION_MESSAGE];      /* the first change that set `outside`; completes "the program ...": "changes out.txt" */
	struct session_policies policies;
};

/* What children of fork look at (preload/memory/child_reads.h). Written by these children, which may only write to this and to
   session_control, and never cleared. */
struct session_child_reads {
	uint32_t changes; /* incremented when a byte or an object is added */
	uint32_t full;    /* 1: there was no room for another one */
	uint64_t object[SESSION_CHILD_OBJECTS]; /* addresses of synchronisation objects, in no order; 0: unused */
	struct {
		uint64_t base;      /* address of a page of 4096 bytes; 0: unused */
		uint64_t bytes[64]; /* the bytes that were read, one bit each */
	} page[SESSION_CHILD_PAGES];
};

#endif
