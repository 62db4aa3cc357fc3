/* What the programs after those of the paper have in common (docs/enforcement.md): each thread does argv[1] rounds of
   the protocol and computes argv[2] steps by itself before each. A round has variables of its own, or leaves them as it
   found them. */
#include <sched.h>
#include "timed.h"

#define ROUNDS 4096

static int rounds, work;
static volatile unsigned long sink[32][8];

static inline void compute_alone(int me)
{
	sink[me][0] = compute(sink[me][0], work);
}

/* The same for one of two threads. Since they yield, they take turns in the first execution of a search, as parallel
   threads do. */
static inline void compute_in_turn(int me)
{
	compute_alone(me);
	sched_yield();
}

static inline void paper_run(int n, void *(*run)(void *), char **argv)
{
	rounds = atoi(argv[1]);
	work = atoi(argv[2]);
	assert(rounds <= ROUNDS);
	timed_threads(n, run);
}

static inline int get(const int *at)
{
	return __atomic_load_n(at, __ATOMIC_SEQ_CST);
}

/* A locked instruction, so the certificate may be one of --model sc. */
static inline void set(int *at, int value)
{
	__atomic_store_n(at, value, __ATOMIC_SEQ_CST);
}

/* The critical section of the programs that exclude each other. */
static int inside;

static inline void be_inside(void)
{
	assert(!__atomic_fetch_add(&inside, 1, __ATOMIC_SEQ_CST));
	__atomic_fetch_sub(&inside, 1, __ATOMIC_SEQ_CST);
}
