/* Expiration of timers on virtual time; see timers.h. hook_timer.c has the calls that set them. */
#include "preload/kernel/timers.h"

#include <signal.h>

#include "preload/control/ctl.h"
#include "preload/control/vtime.h"
#include "preload/kernel/signals.h"
#include "preload/base/rules.h"

/* Private memory: it belongs to the execution. */
struct vtimer virtual_timer[N_TIMERS] = {
	{true, SIGEV_SIGNAL, SIGALRM, SI_KERNEL, NO_THREAD, CLOCK_MONOTONIC, {0}, TIMERS_NEVER, 0, 0, NO_THREAD, 0},
	{true, SIGEV_SIGNAL, SIGVTALRM, SI_KERNEL, NO_THREAD, CLOCK_MONOTONIC, {0}, TIMERS_NEVER, 0, 0, NO_THREAD, 0},
	{true, SIGEV_SIGNAL, SIGPROF, SI_KERNEL, NO_THREAD, CLOCK_MONOTONIC, {0}, TIMERS_NEVER, 0, 0, NO_THREAD, 0},
};

static bool armed(const struct vtimer *v)
{
	return v->used && v->due != TIMERS_NEVER && v->notify != SIGEV_NONE;
}

static thread_id target_of(const struct vtimer *v)
{
	return v->target != NO_THREAD ? v->target : signals_choose_target(v->sig);
}

uint32_t timers_fired_from(int sig)
{
	uint32_t from = UINT32_MAX;

	for (int i = 0; i < N_TIMERS; i++) {
		const struct vtimer *v = &virtual_timer[i];
		uint32_t this = v->set_by == ctl_self() ? v->set_from : 1;

		if (v->used && v->sig == sig && v->set_from && this < from)
			from = this;
	}
	return from == UINT32_MAX ? 1 : from;
}

uint64_t timers_next(thread_id t)
{
	uint64_t next = TIMERS_NEVER;

	for (int i = 0; i < N_TIMERS; i++)
		if (armed(&virtual_timer[i]) && !signals_is_ignored(virtual_timer[i].sig) &&
			target_of(&virtual_timer[i]) == t && virtual_timer[i].due < next)
			next = virtual_timer[i].due;
	return next;
}

bool timers_armed_for(uint64_t set)
{
	for (int i = 0; i < N_TIMERS; i++)
		if (armed(&virtual_timer[i]) && (set & SIG_BIT(virtual_timer[i].sig)))
			return true;
	return false;
}

/* Call it when the timer fires at time `now`. Computes when it is due next. */
static void rearm(struct vtimer *v, uint64_t now)
{
	v->overrun = 0;
	if (!v->interval) {
		v->due = TIMERS_NEVER;
		return;
	}
	v->due = vtime_add(v->due, v->interval);
	if (v->due <= now) {
		uint64_t missed = (now - v->due) / v->interval + 1;

		v->overrun = missed < INT32_MAX ? (int)missed : INT32_MAX;
		v->due = vtime_add(v->due, missed * v->interval);
	}
}

static void make_info(const struct vtimer *v, siginfo_t *info)
{
	*info = (siginfo_t){.si_signo = v->sig, .si_code = v->code};
	if (v->code == SI_TIMER) {
		info->si_value = v->value;
		info->si_overrun = v->overrun;
		info->si_timerid = (int)(v - virtual_timer);
	}
}

bool timers_fire_due(uint64_t now)
{
	bool ran = false;

	for (int i = 0; i < N_TIMERS; i++) {
		struct vtimer *v = &virtual_timer[i];
		siginfo_t info;

		if (!armed(v) || v->due > now)
			continue;
		signals_come_from_outside();
		rearm(v, now);
		make_info(v, &info);
		thread_id t = target_of(v);
		uint64_t blocked = signals_mask(t) & SIG_BIT(v->sig);

		if (t == ctl_self() && !blocked) {
			ran |= signals_has_handler(v->sig);
			signals_send_self(&info);
		} else {
			signals_send(t, v->target == NO_THREAD, &info, NULL);
		}
	}
	return ran;
}

bool timers_fire_idle(uint64_t before)
{
	struct vtimer *first = NULL;

	for (int i = 0; i < N_TIMERS; i++) {
		struct vtimer *v = &virtual_timer[i];

		if (armed(v) && (signals_has_handler(v->sig) || signals_is_awaited(v->sig)) &&
			(!first || v->due < first->due))
			first = v;
	}
	if (!first || first->due > before)
		return false;
	thread_id t = target_of(first);
	uint64_t due = first->due;
	siginfo_t info;

	world_advance(ctl_world, t, due);
	rearm(first, due);
	make_info(first, &info);
	signals_post(first->target == NO_THREAD && !signals_has_handler(first->sig) ? NO_THREAD : t, &info);
	return true;
}
