/*
 * What a test program may ask of simul. Optional: a program needs none of it to be tested, and one that uses it has nothing to
 * link and runs as before when simul is not there. docs/header.md has examples.
 *
 * C (C99 or later) and C++, gcc and clang. Without simul, and where it does not control the program (in processes that it forks,
 * in constructors of libraries that begin before simul's, in programs that are linked statically), simul_choose and simul_running
 * return 0, and the others do nothing.
 *
 * Each function may be called by any thread at any time, also in signal handlers.
 */
#ifndef SIMUL_H
#define SIMUL_H

/* What simul_request is asked for; part of its interface, numbers are never used for something else. */
enum {
	SIMUL_ASK_RUNNING = 0,
	SIMUL_ASK_CHOOSE = 1,
	SIMUL_ASK_ASSUME = 2,
	SIMUL_ASK_LABEL = 3,
	SIMUL_ASK_ATOMIC_BEGIN = 4,
	SIMUL_ASK_ATOMIC_END = 5,
	SIMUL_ASK_EXPLORE_BEGIN = 6,
	SIMUL_ASK_EXPLORE_END = 7
};

typedef long (*simul_request_function)(int what, long number, const char *text);

/*
 * simul's only entry, in the library that it loads with the program; a null pointer without it. By way of the global offset table,
 * since linkers resolve other weak references to 0 in programs that are not position independent.
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

/* 1 when simul controls the threads of this process, else 0. */
SIMUL_INLINE int simul_running(void)
{
	return (int)simul_ask(SIMUL_ASK_RUNNING, 0, 0);
}

/*
 * One of 0 .. n-1, n from 1 to 1000: a search tries each of them, with every interleaving of what follows. Replays choose as
 * recorded. Without simul 0. Another n is a bug of the program, and reported as one.
 */
SIMUL_INLINE int simul_choose(int n)
{
	return (int)simul_ask(SIMUL_ASK_CHOOSE, n, 0);
}

/*
 * Executions in which `condition` is 0 are not of interest: the calling thread goes no further. Other threads do, and what goes
 * wrong with them is still a bug, for it can happen before this thread comes here. Such an execution is no deadlock because
 * of this thread, and not counted as a trace. Without simul nothing happens: the program goes on.
 */
SIMUL_INLINE void simul_assume(int condition)
{
	if (!condition)
		simul_ask(SIMUL_ASK_ASSUME, 0, 0);
}

/* Reports show `text` (63 bytes of it at most) where the calling thread stands. Costs a search nothing. */
SIMUL_INLINE void simul_label(const char *text)
{
	simul_ask(SIMUL_ASK_LABEL, 0, text);
}

/*
 * Between the two no other thread runs: what the calling thread does is one step to the others, and a search has that much less to try.
 * Only where the thread has to wait (for a lock, in a loop for a value), sleeps or yields, others run until it can go on. Regions
 * nest; the outermost counts. It is over when the thread ends. An end without a beginning in the same thread is a bug of the program.
 * What goes wrong only when another thread comes in between is not found. Without simul nothing happens: it is no lock.
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
 * Once a program has called the first of them, only what happens between the two is explored: there all threads run in every order. What comes
 * before, between and behind such regions happens in one order. Any thread may begin and end regions, several at a time; they nest,
 * and what begins in a thread ends in it, or with the process. An end without a beginning is a bug of the program. The verdict says that only
 * regions were explored. Without simul nothing happens.
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
