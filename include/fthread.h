/*
 * FairThreads: threads that run one at a time and give way only where they say so. The interface is the cooperative part of Boussinot's
 * library of that name. Link with -lfthread (pkg-config fthread); docs/cooperative.md describes it.
 *
 * Execution is a series of instants. In each instant the scheduler runs the threads in turn, until none can continue. An event that is
 * generated stays present until the end of the instant. Threads take turns in one order, which is the same in all instants. Without simul
 * it is the order in which they were created. Under simul every order is tried.
 *
 * A process has one scheduler and at most FT_THREADS_MOST threads. Functions return OK or another value below. "Linked" threads are those that
 * the scheduler runs: from the instant after ft_thread_create or ft_thread_link, until they end or call ft_thread_unlink.
 */
#ifndef FTHREAD_H
#define FTHREAD_H

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FT_THREADS_MOST 64

typedef struct ft_scheduler *ft_scheduler_t;
typedef struct ft_thread *ft_thread_t;
typedef struct ft_event *ft_event_t;

enum {
	OK = 0,
	BADCREATE = 1, /* a null pointer */
	BADLINK = 2,   /* the calling thread is not linked, or is linked already */
	BADMEM = 3,    /* no memory */
	NEXT = 4,      /* the instant ended first */
	ETIMEOUT = 5   /* the number of instants passed first */
};

/* ---- schedulers ---- */

/* Returns a new scheduler; NULL without memory. A second one is refused with a message, and the program aborts. */
ft_scheduler_t ft_scheduler_create(void);
/* Begins the first instant. */
int ft_scheduler_start(ft_scheduler_t);
/* These orders may come from any thread. The scheduler obeys them at the beginning of the next instant. */
int ft_scheduler_stop(ft_thread_t);    /* the thread calls its cleanup function and ends */
int ft_scheduler_suspend(ft_thread_t); /* the thread does not run before ft_scheduler_resume */
int ft_scheduler_resume(ft_thread_t);
int ft_scheduler_broadcast(ft_event_t); /* the event is present in that instant */
int ft_scheduler_broadcast_value(ft_event_t, void *value);
/* For threads that are not linked, such as main: waits until no linked thread can ever continue, and ends the process with status 0. */
void ft_exit(void) __attribute__((noreturn));

/* ---- threads ---- */

/* Creates a thread that is linked from the next instant on and calls run(arg). cleanup(arg), if not NULL, is called when it is stopped. Returns
   NULL without memory, and with a message if there are too many threads. */
ft_thread_t ft_thread_create(ft_scheduler_t, void (*run)(void *), void (*cleanup)(void *), void *arg);
ft_thread_t ft_thread_self(void);          /* NULL in other threads */
ft_scheduler_t ft_thread_scheduler(void);  /* of the calling thread; NULL if it is not linked */
pthread_t ft_pthread(ft_thread_t);
/* Ends the calling thread. */
void ft_thread_exit(void) __attribute__((noreturn));
/* Waits until the next instant; until n instants later. */
int ft_thread_cooperate(void);
int ft_thread_cooperate_n(int n);
/* Waits until the thread has ended; at most n instants. A thread that joins itself aborts the program with a message. */
int ft_thread_join(ft_thread_t);
int ft_thread_join_n(ft_thread_t, int n);
/* The calling thread is no longer run by the scheduler, but runs in parallel; it is linked again. */
int ft_thread_unlink(void);
int ft_thread_link(ft_scheduler_t);

/* ---- events ---- */

ft_event_t ft_event_create(ft_scheduler_t);
int ft_thread_generate(ft_event_t);
int ft_thread_generate_value(ft_event_t, void *value);
/* Waits until the event is present; at most n instants, counting this one. Returns at once if it is present already. */
int ft_thread_await(ft_event_t);
int ft_thread_await_n(ft_event_t, int n);
/* Waits until one of the events is present. Sets mask[i] to 1 if event i is, else to 0. */
int ft_thread_select(int length, ft_event_t *events, int *mask);
int ft_thread_select_n(int length, ft_event_t *events, int *mask, int n);
/* Waits until the event has number + 1 values in this instant, and sets *value to value `number`. NEXT: it had fewer in this instant. */
int ft_thread_get_value(ft_event_t, int number, void **value);

#ifdef __cplusplus
}
#endif

#endif
