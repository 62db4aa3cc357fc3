/*
 * Queues of waiting threads, for condition variables and futexes of this library's own.
 *
 * A signal makes one token, good for the threads that wait at that moment; a broadcast makes one for each of them. A waiter that wakes up takes the
 * oldest token that it may. That is what the search assumes (sched/model_cond.c). A queue that is all zero bytes has no waiters.
 */
#ifndef SIMUL_WAKE_QUEUE_H
#define SIMUL_WAKE_QUEUE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define WAKE_ANY UINT32_MAX /* bits: of every waiter */
#define WAKE_ALL UINT32_MAX /* n: every waiter */

/* A waiting thread; it lies on the thread's stack. Each has room for one token, since there are never more tokens than waiters. */
struct waiter {
	struct waiter *next;
	struct wake_queue *in; /* where it waits; a requeue changes it */
	uint32_t number; /* in the order in which they came */
	uint32_t bits;   /* wake-ups for one of these bits reach it */
	uint32_t wake;   /* futex: 1: there may be a token for it */
	uint32_t has;    /* 1: the room is taken, by */
	uint32_t limit;  /* a token for waiters up to this number */
	const struct waiter *only; /* or for this one alone; NULL: for any of them */
};

struct wake_queue {
	uint32_t lock;          /* short_lock.h */
	uint32_t enqueued;      /* number of the latest waiter */
	uint32_t waiters, tokens;
	struct waiter *first;   /* oldest first */
};

/* The calling thread joins the queue if *word has this value, or in any case if word is NULL. Returns whether it joined. */
bool wake_queue_enter(struct wake_queue *q, struct waiter *me, uint32_t bits, const volatile uint32_t *word, uint32_t value);

/* Wakes up to n of the waiters that have one of the bits. Returns how many it reached. */
uint32_t wake_queue_wake(struct wake_queue *q, uint32_t n, uint32_t bits);

/* Waits for a token, takes it, and leaves the queue. Returns false if the time (NULL: no limit) was up first: then the thread has left
   without a token. cancelable: the thread acts on a cancellation while it sleeps; it is still in the queue then. */
bool wake_queue_take(struct waiter *me, clockid_t clock, const struct timespec *until, bool cancelable);

/* Leaves without a token. */
void wake_queue_leave(struct waiter *me);

/* Returns the queue in which the thread waits now. */
struct wake_queue *wake_queue_of(const struct waiter *me);

/* How many waiters a requeue reached. */
struct requeued {
	uint32_t woken, moved;
};

/*
 * Wakes up to `wake` waiters, and moves up to `move` of the others, the oldest first, to the queue `to`; NULL: they
 * stay, but count as moved. Does nothing if `word` is not NULL and the word has another value; then it returns false.
 */
bool wake_queue_requeue(struct wake_queue *q, struct wake_queue *to, uint32_t wake, uint32_t move,
	const volatile uint32_t *word, uint32_t value, struct requeued *done);

#endif
