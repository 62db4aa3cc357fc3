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

/* libc functions that the program called while it had several threads, and whose accesses are not observed. Written by the target. */
struct session_unseen {
	uint32_t n; /* functions in name[]; SESSION_UNSEEN + 1: there are more than name[] holds */
	char name[SESSION_UNSEEN][28];
	struct session_callers at[SESSION_UNSEEN];
};

/* Which environment variables the program has seen, in all its processes so far. Written by the target. */
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

/* Threads that waited for each other when the process ended with status 0 (sched/circle.h). Written by the target. */
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
	SYSTEMC_RAN = 1,       /* a simulation ran, and its processes were ordered by the search */
	SYSTEMC_UNKNOWN = 2,   /* a libsystemc is loaded whose data simul does not know, so its processes kept their own order */
	SYSTEMC_PREEMPTED = 4, /* a process killed or reset another one; later processes kept their own order */
	SYSTEMC_MANY = 8,      /* more processes were runnable than a choice can have values */
	COROUTINES_RAN = 16,   /* the program called swapcontext: its own code ordered its coroutines */
};

/* For rewinding: whether the kernel reports the pages that an execution wrote to (PAGEMAP_SCAN). */
enum page_scan {
	PAGE_SCAN_UNUSED,  /* not needed: there is little memory to restore, or executions write to most of it */
	PAGE_SCAN_USED,
	PAGE_SCAN_MISSING, /* needed, but this kernel does not have it */
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
