/*
 * The scheduler. An instant consists of passes. In each pass every linked thread has one turn: if what it waits for is there, it runs until it
 * has to wait again. When no thread can continue, the instant ends.
 *
 * One order for all instants, under simul: the order of two threads is open until their turns in one pass depend on each other. From then on it is
 * fixed. simul knows which turns depended on each other (sched/fixed_order.h), and the conductor asks it after each pass. In the next passes a
 * thread whose place is known waits for the threads directly before it. Turns that nothing orders run in any order, which the search decides.
 */
#include <stdlib.h>

#include "fair/fair.h"
#include "include/simul.h"

#define BIT(i) (UINT64_C(1) << (i))

/* ---- turns ---- */

bool fair_look(ft_thread_t t)
{
	int64_t now = t->home->instant;
	t->result = OK;
	if (t->stopped)
		return true;
	if (t->suspended)
		return false;
	if (now >= t->until) {
		t->result = t->late;
		return true;
	}
	switch (t->waits) {
	case WAIT_TIME:
		return false;
	case WAIT_EVENTS:
		for (int i = 0; i < t->events; i++)
			if (t->event[i]->present == now)
				return true;
		return false;
	case WAIT_END:
		return t->target->ended;
	case WAIT_VALUE:
		return t->event[0]->valued == now && t->event[0]->values > t->number;
	}
	return false;
}

/* Passes the turn to the threads that come directly after t, and to the conductor. */
static void release_turn(ft_thread_t t)
{
	for (unsigned i = 0; i < FT_THREADS_MOST; i++)
		if (t->before & BIT(i))
			sem_post(&t->home->edge[t->index][i]);
	sem_post(&t->done);
}

void fair_end_turn(ft_thread_t t)
{
	if (t->home->policy == POLICY_FIXED)
		simul_atomic_end();
	release_turn(t);
}

/* Returns whether the look of t may come before the region of its turn. What it finds there cannot be changed in this instant any more, so turns
   that come between the two do not matter to the thread. That is true of a single event and of the end of a thread. A turn in which the
   thread cannot continue has fewer events then. */
static bool looks_early(ft_thread_t t)
{
	return t->waits == WAIT_END || (t->waits == WAIT_EVENTS && t->events == 1);
}

/* Begins the region of the turn of t. Returns false, without a region, if t cannot continue. */
static bool begin_region(ft_thread_t t)
{
	bool early = looks_early(t);
	if (!t->can && early && !fair_look(t))
		return false;
	simul_atomic_begin();
	if (t->can || early || fair_look(t))
		return true;
	simul_atomic_end();
	return false;
}

int fair_await_turn(ft_thread_t t)
{
	for (;;) {
		sem_wait(&t->go);
		if (t->home->policy != POLICY_FIXED)
			break;
		for (unsigned i = 0; i < FT_THREADS_MOST; i++)
			if (t->after & BIT(i))
				sem_wait(&t->home->edge[i][t->index]);
		if (begin_region(t))
			break;
		release_turn(t);
	}
	t->calls = 0;
	if (t->stopped)
		longjmp(t->end, 1);
	return t->result;
}

/* ---- passes ---- */

static void wait_for(ft_scheduler_t s, ft_thread_t t)
{
	sem_wait(&t->done);
	if (t->leaves)
		s->members &= ~BIT(t->index);
}

/* Gives t a turn and waits for its end. */
static void run_one(ft_scheduler_t s, ft_thread_t t)
{
	sem_post(&t->go);
	wait_for(s, t);
}

/* Returns whether a thread ran. */
static bool pass_in_turn(ft_scheduler_t s)
{
	bool ran = false;
	uint64_t members = s->members;
	for (unsigned i = 0; i < FT_THREADS_MOST; i++)
		if ((members & BIT(i)) && fair_look(s->thread[i])) {
			run_one(s, s->thread[i]);
			ran = true;
		}
	return ran;
}

/* Runs one of the threads that can continue. Returns false if there is none. */
static bool run_any(ft_scheduler_t s)
{
	ft_thread_t can[FT_THREADS_MOST];
	int n = 0;
	for (unsigned i = 0; i < FT_THREADS_MOST; i++)
		if ((s->members & BIT(i)) && fair_look(s->thread[i]))
			can[n++] = s->thread[i];
	if (n)
		run_one(s, can[n > 1 ? simul_choose(n) : 0]);
	return n > 0;
}

/* Sets which threads come directly before and directly after each linked thread. */
static void place(ft_scheduler_t s)
{
	uint64_t before[FT_THREADS_MOST];
	for (unsigned i = 0; i < FT_THREADS_MOST; i++) {
		if (!(s->members & BIT(i)))
			continue;
		before[i] = (uint64_t)simul_ask(SIMUL_ASK_FAIR_BEFORE, (long)i, 0) & s->members;
		s->thread[i]->before = 0;
	}
	for (unsigned i = 0; i < FT_THREADS_MOST; i++) {
		if (!(s->members & BIT(i)))
			continue;
		uint64_t direct = before[i];
		for (unsigned k = 0; k < FT_THREADS_MOST; k++)
			if (before[i] & BIT(k))
				direct &= ~before[k];
		s->thread[i]->after = direct;
		for (unsigned k = 0; k < FT_THREADS_MOST; k++) {
			if (!(direct & BIT(k)))
				continue;
			s->thread[k]->before |= BIT(i);
			if (!s->edge_made[k][i])
				sem_init(&s->edge[k][i], 0, 0);
			s->edge_made[k][i] = true;
		}
	}
}

/* Returns whether a thread ran. If none can continue at the beginning of a pass, none makes another one continue. */
static bool pass_side_by_side(ft_scheduler_t s)
{
	bool ran = false;
	uint64_t members = s->members;
	for (unsigned i = 0; i < FT_THREADS_MOST; i++)
		if (members & BIT(i))
			ran |= s->thread[i]->can = fair_look(s->thread[i]);
	if (!ran)
		return false;
	place(s);
	simul_ask(SIMUL_ASK_FAIR_PASS, 0, 0);
	for (unsigned i = 0; i < FT_THREADS_MOST; i++)
		if (members & BIT(i))
			sem_post(&s->thread[i]->go);
	for (unsigned i = 0; i < FT_THREADS_MOST; i++)
		if (members & BIT(i))
			wait_for(s, s->thread[i]);
	simul_ask(SIMUL_ASK_FAIR_PASS, 1, 0);
	return true;
}

/* ---- instants ---- */

/* Returns whether a linked thread continues in a later instant by itself. */
static bool goes_on(ft_scheduler_t s)
{
	for (unsigned i = 0; i < FT_THREADS_MOST; i++)
		if ((s->members & BIT(i)) && !s->thread[i]->suspended && s->thread[i]->until != NEVER)
			return true;
	return false;
}

static void obey(ft_scheduler_t s, const struct order *o)
{
	ft_thread_t t = o->thread;
	switch (o->kind) {
	case ORDER_LINK:
		t->linked = true;
		t->leaves = false;
		s->members |= BIT(t->index);
		break;
	case ORDER_STOP:
		t->stopped = true;
		break;
	case ORDER_SUSPEND:
		t->suspended = true;
		break;
	case ORDER_RESUME:
		t->suspended = false;
		break;
	case ORDER_BROADCAST:
		fair_present(o->event, o->with_value, o->value);
		break;
	}
}

/* Waits until there is something to do, and begins an instant. */
static void begin_instant(ft_scheduler_t s)
{
	struct order *all, *next;
	for (;;) {
		pthread_mutex_lock(&s->lock);
		all = s->first;
		s->first = NULL;
		s->last = &s->first;
		s->idle = !all && !goes_on(s);
		bool idle = s->idle;
		pthread_mutex_unlock(&s->lock);
		if (!idle)
			break;
		sem_post(&s->quiet);
		sem_wait(&s->outside);
	}
	s->instant++;
	for (struct order *o = all; o; o = next) {
		next = o->next;
		obey(s, o);
		free(o);
	}
}

#define PASSES_MOST 100000 /* in one instant, under simul */

void *fair_conduct(void *scheduler)
{
	ft_scheduler_t s = scheduler;
	for (;;) {
		unsigned passes = 0;
		begin_instant(s);
		while (s->members && (s->policy == POLICY_FIXED ? pass_side_by_side(s) : s->policy == POLICY_ANY ? run_any(s) : pass_in_turn(s)))
			if (++passes > PASSES_MOST && simul_running())
				fair_abort("instant %lld does not end: its threads run again and again without cooperating", (long long)s->instant);
	}
	return NULL;
}
