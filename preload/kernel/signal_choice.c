#include "preload/kernel/signal_choice.h"

#include "preload/control/ctl.h"
#include "preload/kernel/signals.h"
#include "sched/hb.h"

#include "preload/base/rules.h"

/* Sets of signals, in the running execution: private memory, which is put back with the program. */
static uint64_t open_of[MAX_IDS];      /* not blocked by a thread at some time */
static uint64_t open_once, open_twice; /* by one thread, by two */
static uint64_t main_blocks;           /* blocked by the main thread at some time; */
static uint64_t main_handles;          /* only while it ran a handler */
static uint64_t sent, sent_twice, named;

/* Returns whether all other threads ended before what the running thread does now. Their ends publish the last epoch
   but one. */
static bool alone(void)
{
	thread_id me = ctl_self();
	unsigned n = ctl_threads();

	for (thread_id t = 0; t < n; t++)
		if (t != me && (world_alive(ctl_world, t) || hb_seen(ctl_hb, me, t) + 1 < hb_epoch(ctl_hb, t)))
			return false;
	return true;
}

static void forget_others(void)
{
	thread_id me = ctl_self();
	unsigned n = ctl_threads();

	for (thread_id t = 0; t < n; t++)
		if (t != me)
			open_of[t] = 0;
	open_once = open_of[me];
	open_twice = 0;
}

static void check(void)
{
	uint64_t unclear = (main_blocks | (main_handles & sent_twice)) & sent & open_twice & ~named;

	if (!unclear)
		return;
	if (alone()) {
		forget_others();
		return;
	}
	named |= unclear;
	ctl_uncontrolled("a signal to the process that several threads could handle; which one does depends on masks and on threads that end");
}

void signal_choice_mask(thread_id t, uint64_t mask)
{
	uint64_t opened = ~mask & ~open_of[t];

	if (!ctl_past_checkpoint)
		return;
	open_twice |= open_once & opened;
	open_once |= opened;
	open_of[t] |= opened;
	if (t == 0)
		main_blocks |= mask;
	check();
}

void signal_choice_handler(thread_id t, uint64_t mask)
{
	if (t == 0)
		main_handles |= mask;
	check();
}

void signal_choice_sent(int sig)
{
	sent_twice |= sent & SIG_BIT(sig);
	sent |= SIG_BIT(sig);
	check();
}
