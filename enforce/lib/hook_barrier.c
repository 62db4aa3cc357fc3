/*
 * This library's own barriers replace the program's pthread_barrier_t. Arriving and passing are two events, and other threads may have to
 * wait for the first before the second is possible. The real call does both at once.
 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>

#include "enforce/lib/futex.h"
#include "enforce/lib/operation.h"
#include "enforce/lib/real.h"

struct barrier {
	uint32_t lock;    /* 1: held */
	uint32_t count;   /* threads of a round */
	uint32_t arrived; /* in this round */
	uint32_t round;   /* futex */
	uint32_t inside;  /* threads that have not returned */
};
_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "it takes its place");

static void lock(struct barrier *b)
{
	while (__atomic_exchange_n(&b->lock, 1, __ATOMIC_ACQUIRE))
		sched_yield();
}

static void unlock(struct barrier *b)
{
	__atomic_store_n(&b->lock, 0, __ATOMIC_RELEASE);
}

EXPORT int pthread_barrier_init(pthread_barrier_t *at, const pthread_barrierattr_t *attr, unsigned count)
{
	struct barrier *b = (struct barrier *)at;

	if (!gate_owns)
		return REAL(pthread_barrier_init)(at, attr, count);
	if (!count || count > INT_MAX)
		return EINVAL;
	return PLAIN(EV_BARRIER_INIT, OBJ_BARRIER, at, (*b = (struct barrier){.count = count}, 0));
}

EXPORT int pthread_barrier_destroy(pthread_barrier_t *at)
{
	struct barrier *b = (struct barrier *)at;

	if (!gate_owns)
		return REAL(pthread_barrier_destroy)(at);
	struct use use = use_of(OBJ_BARRIER, at);
	bool mine = gate_begin(EV_BARRIER_DESTROY, &use, 1);
	while (__atomic_load_n(&b->inside, __ATOMIC_ACQUIRE))
		sched_yield();
	if (mine)
		gate_end();
	return 0;
}

/* Returns the round in which the thread arrives. Sets *last to whether the thread completes it. */
static uint32_t arrive(struct barrier *b, bool *last)
{
	uint32_t round;

	lock(b);
	round = b->round;
	__atomic_add_fetch(&b->inside, 1, __ATOMIC_ACQ_REL);
	*last = ++b->arrived == b->count;
	if (*last) {
		b->arrived = 0;
		__atomic_store_n(&b->round, round + 1, __ATOMIC_RELEASE);
		futex_wake_all(&b->round);
	}
	unlock(b);
	return round;
}

EXPORT int pthread_barrier_wait(pthread_barrier_t *at)
{
	struct barrier *b = (struct barrier *)at;
	struct use use = use_of(OBJ_BARRIER, at);
	bool last, mine;

	if (!gate_owns)
		return REAL(pthread_barrier_wait)(at);
	mine = gate_begin(EV_BARRIER_ARRIVE, &use, 1);
	uint32_t round = arrive(b, &last);
	if (mine)
		gate_end();
	if (!last) {
		mine = gate_begin(EV_BARRIER_PASS, &use, 1);
		while (__atomic_load_n(&b->round, __ATOMIC_ACQUIRE) == round)
			futex_wait(&b->round, round, NULL);
		if (mine)
			gate_end();
	}
	__atomic_sub_fetch(&b->inside, 1, __ATOMIC_ACQ_REL);
	return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
