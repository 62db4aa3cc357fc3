/*
 * What the files of libfthread share.
 *
 * A thread of the scheduler is a pthread. The scheduler is a pthread too, the conductor (conduct.c). It gives a thread its turn with the
 * semaphore `go`, and the thread returns it with `done`. What one of them writes during its part, the other reads afterwards, so no lock is needed.
 *
 * Without simul, and with FTHREAD_ORDER=any, the conductor looks whether a thread can continue, and one thread runs at a time. Under simul,
 * with one order for all instants, the threads of a pass have their turns side by side: each looks for itself, inside an atomic region.
 * The look is an access of the memory that other threads write in their turns, so a search sees that the order of the two matters.
 */
#ifndef FAIR_FAIR_H
#define FAIR_FAIR_H

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "include/fthread.h"

#define NEVER INT64_MAX
#define LOCAL __attribute__((visibility("hidden")))

enum waiting { WAIT_TIME, WAIT_EVENTS, WAIT_END, WAIT_VALUE };

struct ft_event {
	ft_scheduler_t home;
	int64_t present; /* the latest instant in which it was generated */
	int64_t valued;  /* the instant of the values */
	int values, room;
	void **value;
};

struct ft_thread {
	ft_scheduler_t home;
	unsigned index;
	pthread_t pthread;
	void (*run)(void *), (*cleanup)(void *);
	void *arg;
	sem_t go, done;
	uint64_t after, before; /* the threads whose turn must come directly before this one's, and directly after it, in this pass */
	bool linked;
	bool leaves; /* it ends, or is no longer linked, after this turn */
	bool can;    /* it could continue when the pass began, so it runs in this pass */
	bool suspended, stopped;
	bool known;  /* the program has its pthread_t, and may join it */
	int ended;   /* read by the turns of other threads */
	/* What it waits for. From instant `until` on it continues in any case, with the result `late`. */
	enum waiting waits;
	int64_t until;
	int late, result;
	int events, number;
	ft_event_t *event;
	ft_thread_t target;
	unsigned calls; /* in this turn */
	jmp_buf end;
};

enum order_kind { ORDER_LINK, ORDER_STOP, ORDER_SUSPEND, ORDER_RESUME, ORDER_BROADCAST };

struct order {
	struct order *next;
	enum order_kind kind;
	ft_thread_t thread;
	ft_event_t event;
	bool with_value;
	void *value;
};

enum policy { POLICY_ONE, POLICY_ANY, POLICY_FIXED };

struct ft_scheduler {
	enum policy policy; /* ONE: the order of creation; ANY, FIXED: under simul */
	int64_t instant;
	uint64_t members; /* the linked threads, one bit each */
	pthread_t conductor;
	bool started;
	unsigned threads;
	ft_thread_t thread[FT_THREADS_MOST];
	pthread_mutex_t lock; /* for what follows, and for `threads` */
	struct order *first, **last;
	bool idle;     /* no linked thread can ever continue without an order; the conductor waits for `outside` */
	sem_t outside; /* posted by the order that ends this */
	sem_t quiet;   /* posted each time when it begins */
	bool edge_made[FT_THREADS_MOST][FT_THREADS_MOST];
	sem_t edge[FT_THREADS_MOST][FT_THREADS_MOST]; /* [a][b]: posted by a after its turn, when b's comes directly after it */
};

/* The linked or unlinked fair thread that runs; NULL in other threads. */
extern __thread ft_thread_t fair_self LOCAL;

/* Prints "fthread: " and the message, and aborts. */
void fair_abort(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2))) LOCAL;
/* Gives an order to the scheduler. Returns OK or BADMEM. */
int fair_order(ft_scheduler_t s, struct order order) LOCAL;
/* Returns whether t can continue now, and sets t->result. */
bool fair_look(ft_thread_t t) LOCAL;
/* Makes e present in the present instant; with a value: adds it. Returns OK or BADMEM. */
int fair_present(ft_event_t e, bool with_value, void *value) LOCAL;
/* Waits for the turn of the calling thread in which it can continue. Returns t->result. */
int fair_await_turn(ft_thread_t t) LOCAL;
/* Ends the turn of the calling thread. */
void fair_end_turn(ft_thread_t t) LOCAL;
/* The conductor's thread. */
void *fair_conduct(void *scheduler) LOCAL;

#endif
