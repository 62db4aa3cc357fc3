/*
 * An interface between test programs and simul. It is optional: simul tests programs without it. A program that uses it needs no library,
 * and runs normally without simul. docs/header.md has examples.
 *
 * C (C99 or later) and C++, gcc and clang. Without simul, and where it does not control the program (in processes that it forks,
 * in constructors of libraries that run before simul's, in programs that are linked statically), simul_choose and simul_running
 * return 0, and the others do nothing.
 *
 * Each function may be called by any thread at any time, also in signal handlers.
 */
#ifndef SIMUL_H
#define SIMUL_H

/* The requests to simul_request. Their numbers are part of its interface, so a number never changes its meaning. */
enum {
	SIMUL_ASK_RUNNING = 0,
	SIMUL_ASK_CHOOSE = 1,
	SIMUL_ASK_ASSUME = 2,
	SIMUL_ASK_LABEL = 3,
	SIMUL_ASK_ATOMIC_BEGIN = 4,
	SIMUL_ASK_ATOMIC_END = 5,
	SIMUL_ASK_EXPLORE_BEGIN = 6,
	SIMUL_ASK_EXPLORE_END = 7,
	/* The next four are for libfthread (fthread.h). */
	SIMUL_ASK_FAIR_JOIN = 8,    /* the calling thread is member `number` */
	SIMUL_ASK_FAIR_PASS = 9,    /* 0: a pass begins; 1: it has ended */
	SIMUL_ASK_FAIR_BEFORE = 10, /* returns the members that come before member `number`, one bit each */
	SIMUL_ASK_FAIR_ANY = 11     /* simul_choose decides which thread has the next turn */
};

typedef long (*simul_request_function)(int what, long number, const char *text);

/*
 * The only entry point of libsimul.so, which simul loads with the program; a null pointer without simul. The reference goes through the
 * global offset table, because linkers resolve other weak references to 0 in programs that are not position independent.
 */
#if defined(__GNUC__) && defined(__x86_64__) && defined(__linux__)
#define SIMUL_INLINE static inline __attribute__((always_inline))
SIMUL_INLINE simul_request_function simul_find_request(void)
{
	simul_request_function request;
	__asm__(".weak simul_request\n\tmovq simul_request@GOTPCREL(%%rip), %0" : "=r"(request));
	return request;
}
#else
#define SIMUL_INLINE static inline
SIMUL_INLINE simul_request_function simul_find_request(void)
{
	return 0;
}
#endif

SIMUL_INLINE long simul_ask(int what, long number, const char *text)
{
	simul_request_function request = simul_find_request();
	return request ? request(what, number, text) : 0;
}

/* Returns 1 if simul controls the threads of this process, else 0. */
SIMUL_INLINE int simul_running(void)
{
	return (int)simul_ask(SIMUL_ASK_RUNNING, 0, 0);
}

/*
 * Returns one of 0 .. n-1, for n from 1 to 1000. A search tries each value, with every later interleaving. Replays return the recorded
 * values. Without simul it returns 0. Another n is reported as a bug of the program.
 */
SIMUL_INLINE int simul_choose(int n)
{
	return (int)simul_ask(SIMUL_ASK_CHOOSE, n, 0);
}

/*
 * Excludes executions in which `condition` is 0: the calling thread stops for good. Other threads continue, and their failures are still
 * bugs, because they can happen before this thread reaches the call. The stopped thread does not make the execution a deadlock, and the
 * execution is not counted as a trace. Without simul it does nothing.
 */
SIMUL_INLINE void simul_assume(int condition)
{
	if (!condition)
		simul_ask(SIMUL_ASK_ASSUME, 0, 0);
}

/* Makes reports show `text` (at most 127 bytes of it) at the calling thread's position. Does not affect a search. */
SIMUL_INLINE void simul_label(const char *text)
{
	simul_ask(SIMUL_ASK_LABEL, 0, text);
}

/*
 * Between these two calls no other thread runs. For the other threads the region is one step, which makes the search smaller. Other threads
 * run inside it only while the calling thread has to wait (for a lock, or in a loop for a value), sleeps or yields. Regions nest; the
 * outermost one counts. A region ends with its thread. An end without a beginning in the same thread is a bug of the program. simul does
 * not find bugs that need another thread to run inside the region. Without simul these calls do nothing: a region is not a lock.
 */
SIMUL_INLINE void simul_atomic_begin(void)
{
	simul_ask(SIMUL_ASK_ATOMIC_BEGIN, 0, 0);
}
SIMUL_INLINE void simul_atomic_end(void)
{
	simul_ask(SIMUL_ASK_ATOMIC_END, 0, 0);
}

/*
 * If a program calls simul_explore_begin, only the operations between it and simul_explore_end are explored, in every order of all threads.
 * The parts before, between and after such regions have one order. Any thread may begin and end regions, several at a time; they nest. A
 * region ends in the thread that began it, or with the process. An end without a beginning is a bug of the program. The verdict says that
 * only regions were explored. Without simul they do nothing.
 */
SIMUL_INLINE void simul_explore_begin(void)
{
	simul_ask(SIMUL_ASK_EXPLORE_BEGIN, 0, 0);
}
SIMUL_INLINE void simul_explore_end(void)
{
	simul_ask(SIMUL_ASK_EXPLORE_END, 0, 0);
}

#endif
