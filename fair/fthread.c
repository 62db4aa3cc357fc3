/* The functions of fthread.h. */
#include "include/fthread.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fair/fair.h"
#include "include/simul.h"

#define CALLS_MOST 10000 /* calls of one thread in one turn, under simul */

__thread ft_thread_t fair_self;

static ft_scheduler_t the_scheduler;

void fair_abort(const char *format, ...)
{
	char text[200];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	fprintf(stderr, "fthread: %s\n", text);
	abort();
}

/* ---- schedulers ---- */

ft_scheduler_t ft_scheduler_create(void)
{
	if (the_scheduler)
		fair_abort("ft_scheduler_create: the process has a scheduler already, and two that run in parallel are not supported");
	ft_scheduler_t s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	const char *order = getenv("FTHREAD_ORDER");
	if (order && strcmp(order, "any") != 0 && strcmp(order, "fixed") != 0)
		fair_abort("FTHREAD_ORDER=%.50s: it is \"fixed\" or \"any\"", order);
	s->policy = !simul_running() ? POLICY_ONE : order && !strcmp(order, "any") ? POLICY_ANY : POLICY_FIXED;
	if (s->policy == POLICY_ANY)
		simul_ask(SIMUL_ASK_FAIR_ANY, 0, 0);
	s->last = &s->first;
	pthread_mutex_init(&s->lock, NULL);
	sem_init(&s->outside, 0, 0);
	sem_init(&s->quiet, 0, 0);
	the_scheduler = s;
	return s;
}

int ft_scheduler_start(ft_scheduler_t s)
{
	if (!s || s->started)
		return BADCREATE;
	s->started = true;
	return pthread_create(&s->conductor, NULL, fair_conduct, s) ? BADMEM : OK;
}

int fair_order(ft_scheduler_t s, struct order order)
{
	struct order *o = malloc(sizeof *o);
	if (!o)
		return BADMEM;
	*o = order;
	o->next = NULL;
	pthread_mutex_lock(&s->lock);
	*s->last = o;
	s->last = &o->next;
	bool wake = s->idle;
	s->idle = false;
	pthread_mutex_unlock(&s->lock);
	if (wake)
		sem_post(&s->outside);
	return OK;
}

static int order_thread(ft_thread_t t, enum order_kind kind)
{
	return t ? fair_order(t->home, (struct order){ .kind = kind, .thread = t }) : BADCREATE;
}

int ft_scheduler_stop(ft_thread_t t)
{
	return order_thread(t, ORDER_STOP);
}

int ft_scheduler_suspend(ft_thread_t t)
{
	return order_thread(t, ORDER_SUSPEND);
}

int ft_scheduler_resume(ft_thread_t t)
{
	return order_thread(t, ORDER_RESUME);
}

int ft_scheduler_broadcast(ft_event_t e)
{
	return e ? fair_order(e->home, (struct order){ .kind = ORDER_BROADCAST, .event = e }) : BADCREATE;
}

int ft_scheduler_broadcast_value(ft_event_t e, void *value)
{
	return e ? fair_order(e->home, (struct order){ .kind = ORDER_BROADCAST, .event = e, .with_value = true, .value = value }) : BADCREATE;
}

void ft_exit(void)
{
	ft_scheduler_t s = the_scheduler;
	bool all = false;
	if (!s || !s->started || (fair_self && fair_self->linked))
		pthread_exit(NULL);
	while (!all) {
		sem_wait(&s->quiet);
		pthread_mutex_lock(&s->lock);
		all = s->idle;
		pthread_mutex_unlock(&s->lock);
	}
	/* Without this the search would try each order of the ends of threads and of the process. */
	for (unsigned i = 0; i < s->threads; i++)
		if (s->thread[i]->ended && !s->thread[i]->known && s->thread[i] != fair_self)
			pthread_join(s->thread[i]->pthread, NULL);
	exit(0);
}

/* ---- threads ---- */

static void *thread_main(void *arg)
{
	ft_thread_t t = arg;
	fair_self = t;
	if (t->home->policy == POLICY_FIXED)
		simul_ask(SIMUL_ASK_FAIR_JOIN, t->index, 0);
	if (!setjmp(t->end)) {
		fair_await_turn(t);
		t->run(t->arg);
	} else if (t->stopped && t->cleanup) {
		t->cleanup(t->arg);
	}
	t->ended = 1;
	t->leaves = true;
	if (t->linked) {
		t->linked = false;
		fair_end_turn(t);
	}
	return NULL;
}

ft_thread_t ft_thread_create(ft_scheduler_t s, void (*run)(void *), void (*cleanup)(void *), void *arg)
{
	if (!s || !run)
		return NULL;
	ft_thread_t t = calloc(1, sizeof *t);
	if (!t)
		return NULL;
	*t = (struct ft_thread){ .home = s, .run = run, .cleanup = cleanup, .arg = arg, .until = 0 };
	pthread_mutex_lock(&s->lock);
	t->index = s->threads < FT_THREADS_MOST ? s->threads++ : FT_THREADS_MOST;
	if (t->index < FT_THREADS_MOST)
		s->thread[t->index] = t;
	pthread_mutex_unlock(&s->lock);
	if (t->index == FT_THREADS_MOST)
		fair_abort("ft_thread_create: a scheduler has at most %d threads", FT_THREADS_MOST);
	sem_init(&t->go, 0, 0);
	sem_init(&t->done, 0, 0);
	if (pthread_create(&t->pthread, NULL, thread_main, t))
		fair_abort("ft_thread_create: no pthread could be created");
	return fair_order(s, (struct order){ .kind = ORDER_LINK, .thread = t }) ? NULL : t;
}

ft_thread_t ft_thread_self(void)
{
	return fair_self;
}

ft_scheduler_t ft_thread_scheduler(void)
{
	return fair_self && fair_self->linked ? fair_self->home : NULL;
}

pthread_t ft_pthread(ft_thread_t t)
{
	t->known = true;
	return t->pthread;
}

void ft_thread_exit(void)
{
	if (!fair_self)
		pthread_exit(NULL);
	longjmp(fair_self->end, 2);
}

/* Returns the calling thread if it is linked, else NULL. Call it first in each function of linked threads. */
static ft_thread_t caller(void)
{
	ft_thread_t t = fair_self;
	if (!t || !t->linked)
		return NULL;
	if (++t->calls > CALLS_MOST && simul_running())
		fair_abort("instant %lld does not end: thread %u made %d calls without cooperating", (long long)t->home->instant, t->index, CALLS_MOST);
	return t;
}

/* Waits for what the caller set in *t; from instant now + n on it continues with the result `late`. n < 0: only for what it set. */
static int wait_here(ft_thread_t t, enum waiting waits, int n, int late)
{
	t->waits = waits;
	t->until = n < 0 ? NEVER : t->home->instant + n;
	t->late = late;
	if (waits != WAIT_TIME && fair_look(t))
		return t->result;
	fair_end_turn(t);
	return fair_await_turn(t);
}

int ft_thread_cooperate_n(int n)
{
	ft_thread_t t = caller();
	if (!t)
		return BADLINK;
	return n < 1 ? OK : wait_here(t, WAIT_TIME, n, OK);
}

int ft_thread_cooperate(void)
{
	return ft_thread_cooperate_n(1);
}

static int join_within(ft_thread_t target, int n)
{
	ft_thread_t t = caller();
	if (!target)
		return BADCREATE;
	if (t == target || (!t && fair_self == target))
		fair_abort("ft_thread_join: thread %u joins itself", target->index);
	if (!t)
		return BADLINK;
	t->target = target;
	return wait_here(t, WAIT_END, n, ETIMEOUT);
}

int ft_thread_join(ft_thread_t target)
{
	return join_within(target, -1);
}

int ft_thread_join_n(ft_thread_t target, int n)
{
	return join_within(target, n < 0 ? 0 : n);
}

int ft_thread_unlink(void)
{
	ft_thread_t t = caller();
	if (!t)
		return BADLINK;
	t->leaves = true;
	t->linked = false;
	fair_end_turn(t);
	return OK;
}

int ft_thread_link(ft_scheduler_t s)
{
	ft_thread_t t = fair_self;
	if (!s)
		return BADCREATE;
	if (!t || t->linked || t->home != s)
		return BADLINK;
	t->until = 0;
	t->late = OK;
	if (fair_order(s, (struct order){ .kind = ORDER_LINK, .thread = t }))
		return BADMEM;
	return fair_await_turn(t);
}

/* ---- events ---- */

ft_event_t ft_event_create(ft_scheduler_t s)
{
	ft_event_t e = s ? calloc(1, sizeof *e) : NULL;
	if (e)
		e->home = s;
	return e;
}

int fair_present(ft_event_t e, bool with_value, void *value)
{
	int64_t now = e->home->instant;
	if (with_value) {
		if (e->valued != now)
			e->values = 0;
		e->valued = now;
		if (e->values == e->room) {
			void **larger = realloc(e->value, (size_t)(e->room * 2 + 8) * sizeof *larger);
			if (!larger)
				return BADMEM;
			e->value = larger;
			e->room = e->room * 2 + 8;
		}
		e->value[e->values++] = value;
	}
	if (e->present != now)
		e->present = now;
	return OK;
}

int ft_thread_generate(ft_event_t e)
{
	if (!e)
		return BADCREATE;
	return caller() ? fair_present(e, false, NULL) : BADLINK;
}

int ft_thread_generate_value(ft_event_t e, void *value)
{
	if (!e)
		return BADCREATE;
	return caller() ? fair_present(e, true, value) : BADLINK;
}

static int select_within(int length, ft_event_t *events, int *mask, int n)
{
	ft_thread_t t = caller();
	for (int i = 0; i < length; i++)
		if (!events[i])
			return BADCREATE;
	if (!t)
		return BADLINK;
	t->events = length;
	t->event = events;
	int result = wait_here(t, WAIT_EVENTS, n, ETIMEOUT);
	for (int i = 0; mask && i < length; i++)
		mask[i] = events[i]->present == t->home->instant;
	return result;
}

int ft_thread_await(ft_event_t e)
{
	return select_within(1, &e, NULL, -1);
}

int ft_thread_await_n(ft_event_t e, int n)
{
	return select_within(1, &e, NULL, n < 0 ? 0 : n);
}

int ft_thread_select(int length, ft_event_t *events, int *mask)
{
	return select_within(length, events, mask, -1);
}

int ft_thread_select_n(int length, ft_event_t *events, int *mask, int n)
{
	return select_within(length, events, mask, n < 0 ? 0 : n);
}

int ft_thread_get_value(ft_event_t e, int number, void **value)
{
	ft_thread_t t = caller();
	if (!e || !value || number < 0)
		return BADCREATE;
	if (!t)
		return BADLINK;
	t->event = &e;
	t->number = number;
	int result = wait_here(t, WAIT_VALUE, 1, NEXT);
	if (result == OK)
		*value = e->value[number];
	return result;
}
