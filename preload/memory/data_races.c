/* Data races; see data_races.h. */
#include "preload/memory/data_races.h"

#include <string.h>

#include "preload/base/operations.h"
#include "preload/base/state.h"
#include "preload/base/thread.h"
#include "preload/failure/bug.h"
#include "preload/failure/stack.h"
#include "preload/memory/full_order.h"
#include "preload/memory/shadow.h"
#include "preload/base/rules.h"

bool races_open;
static uint32_t open_race; /* number of the race for which races_open is set */
static bool open_is_new;   /* this race is in the list for the first time */
static struct session_race latest; /* this race, with its data in the running execution */

static struct session_races *races(void)
{
	return ctl_segment(ctl_session->layout.races_off);
}

/* Returns the number of a race between the same places; r->n when there is none. */
static uint32_t find_race(const struct session_races *r, const struct session_race *x)
{
	static uint32_t last; /* tried first, because a racy program races at one place again and again */
	if (last < r->n && session_same_race(&r->race[last], x))
		return last;
	for (last = 0; last < r->n; last++)
		if (session_same_race(&r->race[last], x))
			break;
	return last;
}

uint32_t races_add(const struct session_race *x)
{
	struct session_races *r = races();
	uint32_t i = find_race(r, x);
	if (i < r->n) {
		r->race[i].count++;
		r->race[i].certain |= x->certain;
	} else if (i < SESSION_RACES) {
		r->race[i] = *x;
		r->n++; /* must come last, because the supervisor reads the list at any time */
	}
	return i;
}

uint32_t races_watched(void)
{
	return races()->watched;
}

void races_miss(enum races_missed why)
{
	races()->missed |= why;
}

bool races_own(uint32_t i)
{
	struct session_races *r = races();
	if (i >= r->n || i >= SESSION_RACES) {
		races_miss(RACES_FULL);
		return false;
	}
	if (r->race[i].judged == RACE_NOT_JUDGED) {
		operations.hand_over(STATE_RACE);
		r->race[i].judged = ctl_session->ctl.requests.race_is_own ? RACE_OWN : RACE_OF_KERNEL;
	}
	return r->race[i].judged == RACE_OWN;
}

void races_report(const struct past *first, const struct past *second, uint64_t addr, uint64_t size)
{
	struct session_races *r = races();
	struct session_race x = {
		.addr = addr,
		.size = (uint32_t)size,
		.certain = ((first->flags | second->flags) & PAST_PLAIN) != 0,
		.thread = { first->thread, second->thread },
		.flags = { first->flags & ~PAST_EVENT, second->flags & ~PAST_EVENT },
		.count = 1,
		.stack = { { .n = 1, .pc = { first->pc } }, { .n = 1, .pc = { second->pc } } },
	};
	if (shadow_order_unseen || full_order_has(first, second))
		return;
	uint32_t n = r->n, i = races_add(&x);
	bool is_new = r->n > n;
	if (races_open || !(is_new || ctl_session->config.settings.fail_on_race))
		return; /* an event may race with several earlier ones; only the first is reported */
	races_open = true;
	open_race = i;
	open_is_new = is_new;
	latest = x;
}

/* Adds the callers of the access to its stack. */
static void add_callers(struct session_stack *s)
{
	uint64_t pc[SESSION_STACK];
	uint32_t n = stack_here(pc, SESSION_STACK), i = 0;
	while (i < n && pc[i] != s->pc[0])
		i++;
	for (i = i < n ? i + 1 : 0; i < n && s->n < SESSION_STACK; i++)
		s->pc[s->n++] = pc[i];
}

static const char *does(unsigned flags)
{
	return flags & PAST_WRITE ? "writes" : "reads";
}

/* Ends the execution with the race as its bug. The two places, sorted, are its signature: both orders are the same bug. */
static void __attribute__((noreturn)) die(void)
{
	struct session_race *x = &latest;
	struct session_bug *b = bug_begin(BUG_RACE);
	uint64_t first = x->stack[0].pc[0], second = x->stack[1].pc[0];
	bug_message(b, "data race");
	b->stack.n = 2;
	b->stack.pc[0] = first < second ? first : second;
	b->stack.pc[1] = first < second ? second : first;
	bug_sign(b);
	const struct thread_names *names = ctl_segment(ctl_session->layout.names_off);
	char name[2][64];
	for (int i = 0; i < 2; i++)
		thread_name_format(names, (thread_id)x->thread[i], name[i], sizeof name[i]);
	b->thread = x->thread[1];
	b->stack = x->stack[1];
	bug_message(b, "data race: %s %s and %s %s the same memory with nothing that orders them", name[0],
		does(x->flags[0]), name[1], does(x->flags[1]));
	bug_die();
}

/* Returns whether the open race is a bug. Under RC11 the program says which of its accesses are atomic. A pair of which
   none is certainly plain has an access of other code, and may be no race. */
static bool is_bug(void)
{
	const struct settings *s = &ctl_session->config.settings;
	return s->fail_on_race && (s->model != MODEL_RC11 || latest.certain);
}

void races_settle(void)
{
	races_open = false;
	if (latest.thread[1] == fiber_cur->id)
		add_callers(&latest.stack[1]);
	if (open_is_new)
		races()->race[open_race].stack[1] = latest.stack[1];
	if (is_bug())
		die();
}
