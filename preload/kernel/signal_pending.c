/* Virtual signals: those that are pending. */
#include <string.h>

#include "preload/control/ctl.h"
#include "preload/kernel/signal_state.h"
#include "sched/hb.h"

#include "preload/base/rules.h"

#define MAX_PENDING 1024 /* the kernel allows more; a program that needs more is refused */

static struct pending_signal pending[MAX_PENDING]; /* in order of arrival */
static unsigned n_pending;

static bool is_for(const struct pending_signal *p, thread_id t)
{
	return p->t == t || (p->process && p->t == NO_THREAD);
}

uint64_t signals_pending(thread_id t)
{
	uint64_t set = 0;

	for (unsigned i = 0; i < n_pending; i++)
		if (pending[i].process || pending[i].t == t)
			set |= SIG_BIT(pending[i].info.si_signo);
	return set;
}

static void remove_at(unsigned i)
{
	n_pending--;
	memmove(&pending[i], &pending[i + 1], (n_pending - i) * sizeof(pending[0]));
}

bool pending_take(thread_id t, uint64_t set, bool any, struct pending_signal *out)
{
	unsigned best = MAX_PENDING;

	for (unsigned i = 0; i < n_pending; i++) {
		const struct pending_signal *p = &pending[i];

		if (!(set & SIG_BIT(p->info.si_signo)) || !(is_for(p, t) || (any && p->process)))
			continue;
		if (best == MAX_PENDING || p->info.si_signo < pending[best].info.si_signo)
			best = i;
	}
	if (best == MAX_PENDING)
		return false;
	*out = pending[best];
	remove_at(best);
	return true;
}

int pending_first(thread_id t, uint64_t mask)
{
	int first = 0;

	for (unsigned i = 0; i < n_pending; i++) {
		int sig = pending[i].info.si_signo;

		if (is_for(&pending[i], t) && !(mask & SIG_BIT(sig)) && (!first || sig < first))
			first = sig;
	}
	return first;
}

int pending_due(thread_id t)
{
	return pending_first(t, signal_threads[t].mask);
}

void pending_inform(void)
{
	static bool known[MAX_THREADS];
	static unsigned n_known; /* threads below this one may be known */
	unsigned n = ctl_threads();

	if (n > n_known)
		n_known = n;
	for (thread_id t = 0; t < n_known; t++) {
		bool now = pending_due(t) != 0 && !signal_threads[t].delivering;

		if (now != known[t] && world_alive(ctl_world, t)) {
			world_set_signal_pending(ctl_world, t, now);
			known[t] = now;
		}
	}
}

/* Returns whether thread t can handle sig. */
static bool takes(thread_id t, int sig)
{
	return t != NO_THREAD && world_alive(ctl_world, t) && !(signal_threads[t].mask & SIG_BIT(sig));
}

void pending_retarget(void)
{
	for (unsigned i = 0; i < n_pending; i++) {
		struct pending_signal *p = &pending[i];

		if (p->process && !takes(p->t, p->info.si_signo))
			p->t = signals_choose_target(p->info.si_signo);
	}
	pending_inform();
}

void pending_add(const struct pending_signal *p)
{
	int sig = p->info.si_signo;
	bool queued = sig >= SIGRTMIN;

	for (unsigned i = 0; i < n_pending && !queued; i++) {
		struct pending_signal *q = &pending[i];

		if (q->info.si_signo != sig || q->process != p->process || (!p->process && q->t != p->t))
			continue;
		/* the two signals are merged: the handler may run as early as either of them allows */
		if (q->sender == NO_THREAD) {
			q->sender = p->sender;
			q->epoch = p->epoch;
		}
		q->by = NO_THREAD;
		return;
	}
	if (n_pending == MAX_PENDING)
		ctl_refuse("the program has more than %d signals pending at a time", MAX_PENDING);
	pending[n_pending++] = *p;
	ctl_returning |= p->sender != NO_THREAD;
	pending_inform();
}

void pending_drop(int sig)
{
	for (unsigned i = 0; i < n_pending;) {
		if (pending[i].info.si_signo == sig)
			remove_at(i);
		else
			i++;
	}
}

int pending_overdue(thread_id t)
{
	bool some = false;

	for (unsigned i = 0; i < n_pending; i++) {
		const struct pending_signal *p = &pending[i];

		some |= p->sender != NO_THREAD;
		if (p->sender != NO_THREAD && is_for(p, t) && !(signal_threads[t].mask & SIG_BIT(p->info.si_signo)) &&
			(p->sender == t || hb_seen(ctl_hb, t, p->sender) >= p->epoch))
			return p->info.si_signo;
	}
	ctl_returning = some;
	return 0;
}

bool signals_take(thread_id t, uint64_t set, siginfo_t *out)
{
	struct pending_signal p;
	bool got = pending_take(t, set, true, &p);

	if (got)
		*out = p.info;
	pending_inform();
	return got;
}
