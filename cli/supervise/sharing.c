/*
 * From one worker to several, and back.
 *
 * A search starts with one worker, since most searches end before others could be started. After a while the worker is paused between two
 * executions, and others are added: separate processes, started like the first one, whose search is empty until they are given work. If
 * anything makes the executions of one worker differ from those of another, sharing ends: the search restarts with one worker.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/base/proc_text.h"
#include "cli/base/interrupt.h"
#include "cli/segment/segment_for_target.h"
#include "cli/supervise/handover.h"
#include "cli/supervise/sharing.h"
#include "cli/base/say.h"
#include "explore/shared/common.h"
#include "sched/memory.h"
#include "sched/policy.h"

#define WORTH_NS UINT64_C(60000000) /* a search that takes longer is worth starting processes for */
#define WORTH_MACHINES_NS UINT64_C(3000000000) /* the same for several machines, each of which loads the search from a database */
#define WORTH_LONG_NS UINT64_C(1000000000)     /* ... if LONG_NS are left */
#define LONG_NS UINT64_C(10000000000)
#define WORTH_WINDOWS 1              /* windows are for long executions */
#define WORTH_EXECUTIONS 30          /* fewer executions could mean that the search is stuck in its first ones */

static void *search_of(const struct worker *w)
{
	return (char *)w->seg->session + w->seg->layout.explore_off;
}

/* Returns whether a search with one worker may get others now. */
static bool may_share(const struct loop *l)
{
	const struct workers *ws = l->ws;
	const struct session_control *ctl = control(ws->w[0]);

	return ws->jobs > 1 && ws->n == 1 && !ws->given_up && !l->stop_ns && !ctl->requests.shared_search &&
	       !shared_load(&ctl->warm_up.running);
}

static void give_up(struct loop *l, const char *why)
{
	l->ws->given_up = true;
	text_set(l->ws->why, sizeof(l->ws->why), "%s", why);
}

/* Returns whether sharing is impossible for good, and records why. */
static bool hopeless(struct loop *l)
{
	const struct session_control *ctl = control(l->ws->w[0]);
	char what[SESSION_MESSAGE];

	if (l->s->randomised) {
		char why[SESSION_MESSAGE + 96];

		text_set(why, sizeof(why), "address randomisation cannot be disabled here, and memory cannot be moved: %s", l->s->unplaced);
		give_up(l, why);
	} else if (shared_load(&ctl->discoveries.applied_regions) & REGION_ATOMIC) {
		bool fair = shared_load(&ctl->facts.policies.ran) & POLICY_BIT(POLICY_FAIR_ONE);

		if (fair)
			give_up(l, "turns of FairThreads are atomic regions, which one worker explores");
		else
			give_up(l, "atomic regions (simul_atomic_begin) are explored by one worker");
	} else if (__atomic_load_n(&ctl->facts.outside, __ATOMIC_ACQUIRE)) {
		char why[SESSION_MESSAGE + 16];

		segment_text(ctl->facts.outside_what, what);
		text_set(why, sizeof(why), "the program %s", what);
		give_up(l, why);
	}
	return l->ws->given_up;
}

static bool can_share(struct loop *l)
{
	return may_share(l) && !hopeless(l) && explore_can_join(search_of(l->ws->w[0]));
}

/* Returns how long a search must have run to be shared. spent: how long it has run. */
static uint64_t worth_ns(const struct loop *l, const struct explore_stats *stats, uint64_t spent)
{
	bool endless = stats->estimate && !explore_estimate_known(stats);
	double left = 0;

	if (!l->s->machines)
		return WORTH_NS;
	if (stats->executions && stats->estimate > stats->executions)
		left = (double)(stats->estimate - stats->executions) / (double)stats->executions * (double)spent;
	return endless || left >= (double)LONG_NS ? WORTH_LONG_NS : WORTH_MACHINES_NS;
}

/* Returns whether the current search has run long enough. */
static bool worth_while(struct loop *l)
{
	const struct session_control *ctl = control(l->ws->w[0]);
	uint32_t strategy = l->s->seg->session->config.strategy;
	uint64_t now = wall_clock_ns(), least = strategy == STRATEGY_WINDOWS ? WORTH_WINDOWS : WORTH_EXECUTIONS;
	struct explore_stats stats;

	if (l->ws->at_once)
		return true;
	if (!l->search_ns || l->search != ctl->warm_up.restarts) {
		l->search = ctl->warm_up.restarts;
		l->search_ns = now;
	}
	segment_stats(l->s->seg, &stats);
	return now - l->search_ns >= worth_ns(l, &stats, now - l->search_ns) &&
		stats.executions + explore_cut(&stats) >= least;
}

static void ask(struct loop *l)
{
	l->wants_share = true;
	shared_store(&control(l->ws->w[0])->requests.pause_request, 1);
}

void share_look(struct loop *l)
{
	if (!l->wants_share && may_share(l) && worth_while(l) && can_share(l))
		ask(l);
}

/* For tests: shares before the first worker is released, so that its warm-up cannot end before sharing starts. */
static void ask_again(struct loop *l)
{
	if (l->ws->at_once && l->ws->jobs > 1 && l->ws->n == 1 && !l->ws->given_up && !l->stop_ns)
		ask(l);
}

/* ---- beginning ---- */

static bool make_common(struct loop *l)
{
	const struct worker *first = l->ws->w[0];
	void *common = segment_common_search(first->seg);
	uint64_t size = first->seg->layout.common_search_size;

	return common_memory_clear(l->ws->common) && explore_common_create(common, size) &&
	       explore_join(search_of(first), common, size, true);
}

/* Adds one worker, not yet started. */
static bool add_worker(struct loop *l, char *why, size_t size)
{
	struct worker *w = workers_add(l->ws, why, size);

	if (!w)
		return false;
	watchdog_start(&w->dog, l->s->hang_ns);
	segment_share(w->seg);
	shared_store(&control(w)->requests.pause_request, 1);
	if (explore_join(search_of(w), segment_common_search(w->seg), w->seg->layout.common_search_size, false))
		return true;
	text_set(why, size, "simul has no room for more workers");
	workers_remove(l->ws, l->ws->n - 1);
	return false;
}

static void add_all(struct loop *l)
{
	char why[SESSION_MESSAGE];

	while (l->ws->n < l->ws->jobs) {
		struct worker *w;

		if (!add_worker(l, why, sizeof(why))) {
			give_up(l, why);
			return;
		}
		w = l->ws->w[l->ws->n - 1];
		if (!loop_start_target(l, w)) {
			share_drop(l, w, l->s->text);
			return;
		}
	}
}

bool share_some_fresh(const struct loop *l)
{
	for (unsigned i = 1; i < l->ws->n; i++)
		if (l->ws->w[i]->fresh)
			return true;
	return false;
}

bool share_begin(struct loop *l)
{
	struct worker *first = l->ws->w[0];
	struct session_control *ctl = control(first);
	struct explore_stats stats;

	l->wants_share = false;
	/* Workers cannot join if the next execution is already planned, or if some of the threads whose stacks they must copy are not parked yet.
	   Another pause will be requested. */
	if (!can_share(l) || ctl->execution.begun || ctl->execution.flight != FLIGHT_NONE ||
		ctl->execution.pool_parked != first->seg->session->pool.n) {
		ask_again(l);
		loop_release(first);
		return true;
	}
	if (!make_common(l)) {
		give_up(l, "the search cannot be shared");
		loop_release(first);
		return true;
	}
	segment_stats(first->seg, &stats);
	segment_common(first->seg)->begun = segment_common(first->seg)->complete = stats.executions;
	ctl->requests.pages_when_shared = ((const struct memory_table *)((char *)first->seg->session + first->seg->layout.memory_off))->n;
	segment_share(first->seg);
	if (l->s->machines) {
		bool go_on = loop_obey(l, l->s->machines->publish(l->s->keep_ctx));

		loop_release(first);
		return go_on;
	}
	l->gathering = l->ws->at_once;
	add_all(l);
	if (!l->gathering)
		loop_release(first);
	return true;
}

void share_continue(struct loop *l)
{
	struct workers *ws = l->ws;
	unsigned k = 1;

	if (!control(ws->w[0])->requests.shared_search)
		return;
	if (l->s->machines) {
		shared_store(&control(ws->w[0])->requests.pause_request, 1);
		return;
	}
	l->gathering = true;
	for (unsigned i = 0; i < ws->n; i++)
		shared_store(&control(ws->w[i])->requests.pause_request, 1);
	while (k < ws->n) {
		struct worker *w = ws->w[k];

		watchdog_start(&w->dog, l->s->hang_ns);
		if (loop_start_target(l, w))
			k++;
		else
			share_drop(l, w, l->s->text);
	}
	if (!ws->given_up)
		add_all(l);
}

/* ---- joining ---- */

/* Returns whether the pool threads of both workers have their stacks at the same addresses. */
static bool same_stacks(const struct worker *a, const struct worker *b, char *why, size_t size)
{
	const struct session_pool *p = &a->seg->session->pool, *q = &b->seg->session->pool;

	for (uint32_t i = 0; i < p->n && i < SESSION_POOL; i++) {
		if (i < q->n && p->thread[i].stack_at == q->thread[i].stack_at)
			continue;
		text_set(why, size, "the thread stacks are not at the addresses of the first start of the program");
		return false;
	}
	return true;
}

/* Returns whether its memory addresses are those of the first worker. */
static bool is_alike(const struct loop *l, const struct worker *w, char *why, size_t size)
{
	const struct worker *first = l->ws->w[0];
	char *before = proc_text_maps(first->pid), *now = proc_text_maps(w->pid);
	bool same = proc_text_same_addresses(before, now, why, size) && same_stacks(first, w, why, size);

	free(before);
	free(now);
	return same;
}

void share_welcome(struct loop *l, struct worker *w)
{
	char why[SESSION_MESSAGE];
	unsigned n = 1;

	if (l->gathering && shared_load(&control(l->ws->w[0])->handshake.state) != STATE_PAUSED)
		return; /* the first worker has not reached its checkpoint, so there is nothing to compare with */
	if (!is_alike(l, w, why, sizeof(why))) {
		share_drop(l, w, why);
		return;
	}
	w->fresh = false;
	segment_set_early_counts(w->seg, 0, 0); /* from before the checkpoint, where the first worker counted the same */
	for (unsigned i = 1; i < l->ws->n; i++)
		n += !l->ws->w[i]->fresh;
	if (n > l->ws->most)
		l->ws->most = n;
	if (l->gathering)
		return;
	shared_store(&control(w)->requests.pause_request, 0);
	loop_release(w);
}

/* Removes worker k. If it has work to hand back, all others are paused or being started, since it is one of those that start together. */
static void dismiss(struct loop *l, unsigned k)
{
	struct worker *w = l->ws->w[k];

	handover_kill(l, w);
	explore_hand_back(search_of(w)); /* if this fails, the worker's counters say why */
	workers_remove(l->ws, k);
}

void share_drop(struct loop *l, struct worker *w, const char *why)
{
	unsigned k = 0;

	while (l->ws->w[k] != w)
		k++;
	dismiss(l, k);
	give_up(l, why);
}

void share_stop(struct loop *l)
{
	for (unsigned i = l->ws->n - 1; i > 0; i--)
		if (l->ws->w[i]->fresh)
			dismiss(l, i);
}

/* ---- ending ---- */

/* Removes all workers except the first. Their results do not count. */
static void remove_others(struct loop *l)
{
	struct workers *ws = l->ws;

	for (unsigned i = 1; i < ws->n; i++)
		handover_kill(l, ws->w[i]);
	while (ws->n > 1)
		workers_remove(ws, ws->n - 1);
	segment_add_warm_up(ws->w[0]->seg, ws->gone.executions);
	memset(&ws->gone, 0, sizeof(ws->gone));
	ws->most = 1; /* the others were workers of a search that counts as warm-up */
	control(ws->w[0])->requests.shared_search = 0;
	l->gathering = false;
	l->search_ns = 0;
}

static void make_first(struct loop *l, struct worker *w)
{
	unsigned k = 0;

	while (l->ws->w[k] != w)
		k++;
	workers_make_first(l->ws, k);
	w->fresh = false;
	interrupt_wake(loop_doorbell(l)); /* the doorbell may be in the segment of the first worker */
}

void share_restart(struct loop *l, struct worker *w)
{
	make_first(l, w);
	remove_others(l);
	ask_again(l);
	loop_release(w);
}

bool share_alone(struct loop *l, struct worker *w)
{
	struct explore_stats stats;

	make_first(l, w);
	remove_others(l);
	handover_kill(l, w);
	segment_stats(w->seg, &stats);
	segment_add_warm_up(w->seg, stats.executions + segment_drop_execution(w->seg));
	hopeless(l);
	if (segment_new_search(w->seg))
		return loop_start_target(l, w);
	text_set(l->s->text, sizeof(l->s->text), "the search cannot be restarted");
	return loop_finish(l, SESSION_INTERNAL);
}
