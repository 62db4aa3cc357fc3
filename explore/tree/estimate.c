/* The estimate of the number of executions: see estimate.h. */
#include "explore/tree/estimate.h"

#include "explore/shared/work_sharing.h"
#include "explore/tree/sleepset.h"
#include "explore/trace/vclock.h"
#include "explore/tree/wakeup.h"

/* Data for each node on the stack. */
struct visit {
	uint64_t before;   /* executions before the first one that passed here */
	uint32_t expected; /* predicted branches, besides those explored or in progress */
	uint32_t pad_;
};

static struct visit *visit_at(struct search *s, uint32_t i)
{
	return (struct visit *)vec_data(&s->core, &s->estimate.visits) + i;
}

static uint64_t add_capped(uint64_t a, uint64_t b)
{
	return a > ESTIMATE_MOST - b ? ESTIMATE_MOST : a + b; /* both are at most ESTIMATE_MOST */
}

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;
	return __builtin_mul_overflow(a, b, &product) || product > ESTIMATE_MOST ? ESTIMATE_MOST : product;
}

/* Adds the nodes after the one where this execution branched off. */
static bool enter(struct search *s)
{
	uint32_t old = s->tree.prefix + 1 < s->estimate.visits.n ? s->tree.prefix + 1 : s->estimate.visits.n;
	if (!vec_reserve(&s->core, &s->estimate.visits, s->trace.nodes.n, sizeof(struct visit)))
		return false;
	s->estimate.visits.n = s->trace.nodes.n;
	for (uint32_t i = old; i < s->trace.nodes.n; i++)
		*visit_at(s, i) = (struct visit){.before = s->estimate.at};
	s->estimate.at = s->core.stats.executions;
	return true;
}

/* ---- the number of branches ---- */

static uint32_t branches_planned(struct search *s, const struct node *n)
{
	if (s->core.config.strategy == STRATEGY_EXHAUSTIVE || s->core.config.strategy == STRATEGY_STEPS)
		return n->choice_n ? n->choice_n - 1 - n->tried : 0;
	return wakeup_count(&s->core, n->wut);
}

_Static_assert(EV_COUNT <= 128, "search.branched");
static bool has_branched(const struct estimate_state *s, unsigned kind)
{
	return s->branched[kind / 64] >> (kind % 64) & 1;
}

static bool family_sleeps(struct search *s, uint32_t i, thread_id family)
{
	const struct sleeper *x = sleepers(s, i);
	for (uint32_t k = 0; k < node_at(s, i)->sleep_n; k++)
		if (event_owner(&x[k].ev) == family)
			return true;
	return false;
}

/* Counts event j as a branch of each earlier node with which it will be reversed. Looks at no more than `most` events. */
static void foresee(struct search *s, uint32_t j, uint32_t most)
{
	const struct node *n = node_at(s, j);
	thread_id family = event_owner(&n->ev);
	struct preds p;
	uint32_t d;
	if (event_kind_flags(n->ev.kind) & K_END)
		return;
	for (preds_of_node(s, &p, &node_at(s, j)->ev, j); most && preds_next(s, &p, &d); most--) {
		const struct event *e = &node_at(s, d)->ev;
		if (event_owner(e) == family || !has_branched(&s->estimate, e->kind))
			continue;
		/* Event j happens only because of d. (This also excludes all but the family's first event that depends on d.) */
		if (n->thread_prev && happens_before(s, d, n->thread_prev - 1))
			continue;
		if (!family_sleeps(s, d, family))
			visit_at(s, d)->expected++;
	}
}

static void expect_branches(struct search *s)
{
	uint32_t n = s->trace.nodes.n;
	for (uint32_t i = 0; i < n; i++) {
		const struct node *x = node_at(s, i);
		visit_at(s, i)->expected = 0;
		if (x->tried || x->wut)
			s->estimate.branched[x->ev.kind / 64] |= UINT64_C(1) << (x->ev.kind % 64);
	}
	if (s->core.config.strategy == STRATEGY_EXHAUSTIVE || s->core.config.strategy == STRATEGY_STEPS)
		return;
	/* At most about a million steps in all, whatever the length of the execution. */
	for (uint32_t j = 0; j < n && j < s->trace.analysed; j++)
		foresee(s, j, 16 + (1u << 20) / n);
}

/* ---- their size ---- */

/* The number of executions from the first private state on; without workers, of all. */
static uint64_t size_of_own(struct search *s)
{
	uint64_t under = 1, behind = s->core.stats.executions - 1; /* under: executions in the current branch; behind: executions in the branches before it */
	for (uint32_t i = s->trace.nodes.n; i-- > s->share.shared;) {
		const struct node *n = node_at(s, i);
		const struct visit *x = visit_at(s, i);
		uint32_t left = branches_planned(s, n);
		if (left < x->expected)
			left = x->expected;
		uint64_t known = add_capped(behind > x->before ? behind - x->before : 0, under);
		under = left ? add_capped(known, times(known, left) / (n->tried + 1)) : known;
		behind = x->before;
	}
	return under;
}

/* The number of branches at a shared state, whichever worker explores them. */
static uint32_t branches_of_shared(struct search *s, uint32_t i)
{
	uint32_t foreseen = node_at(s, i)->tried + 1 + visit_at(s, i)->expected;
	share_enter(s, i);
	uint32_t known = wakeup_count(&s->core, wakeup_at(&s->core, share_path(s, i))->child);
	share_leave(s);
	return known > foreseen ? known : foreseen;
}

/* The sizes of the branches of other workers are not known here: they are assumed to be as large as those of this worker. */
static uint64_t size(struct search *s)
{
	uint64_t whole = size_of_own(s);
	for (uint32_t i = s->share.shared < s->trace.nodes.n ? s->share.shared : s->trace.nodes.n; i-- > 0;)
		whole = times(whole, branches_of_shared(s, i));
	return whole;
}

#define FEW_EXECUTIONS 30
#define MOST_SHARE 100 /* 1 / of the estimate that must be explored */
#define MOST_SPREAD 4  /* of the recent estimates */

/* Keeps the least and the greatest of the recent estimates. Returns the greatest, or ESTIMATE_MOST if they allow no range. */
static uint64_t remember(struct search *s, uint64_t whole)
{
	uint64_t now = s->core.stats.executions, least = whole, most = whole;
	uint32_t doublings = now ? 64u - (uint32_t)__builtin_clzll(now) : 0;
	bool before = false;
	for (; s->estimate.doublings < doublings; s->estimate.doublings++) {
		s->estimate.range[2] = s->estimate.range[1];
		s->estimate.range[1] = s->estimate.range[0];
		s->estimate.range[0].least = s->estimate.range[0].most = 0;
	}
	for (int i = 0; i < 3; i++) {
		if (!s->estimate.range[i].most)
			continue;
		before = true;
		least = s->estimate.range[i].least < least ? s->estimate.range[i].least : least;
		most = s->estimate.range[i].most > most ? s->estimate.range[i].most : most;
	}
	if (!s->estimate.range[0].most || s->estimate.range[0].least > whole)
		s->estimate.range[0].least = whole;
	if (s->estimate.range[0].most < whole)
		s->estimate.range[0].most = whole;
	if (!before || now < FEW_EXECUTIONS || whole / MOST_SHARE > now || most / MOST_SPREAD > least)
		return ESTIMATE_MOST;
	return most;
}

static void publish(struct search *s, uint64_t whole)
{
	struct explore_stats *st = &s->core.stats;
	uint64_t now = st->executions, most;
	if (whole < now)
		whole = now;
	most = remember(s, whole);
	uint64_t left = whole - now, done = whole ? times(now, 8) / whole : 8; /* in eighths */
	st->estimate = whole;
	st->estimate_low = now + left / 4;
	st->estimate_high = add_capped(now, times(left, 10 - (done < 8 ? done : 7)));
	if (st->estimate_high < most)
		st->estimate_high = most;
}

/* The estimate changes slowly, so it is computed again when there are 3 % more executions than the last time. */
void estimate_add(struct search *s)
{
	if (!enter(s))
		return;
	uint64_t now = s->core.stats.executions;
	if (now >= s->estimate.next && now) {
		s->estimate.next = now + now / 32 + 1;
		expect_branches(s);
		publish(s, size(s));
	} else if (s->core.stats.estimate_low < now) {
		publish(s, s->core.stats.estimate);
	}
}

void estimate_done(struct search *s)
{
	s->core.stats.estimate = s->core.stats.estimate_low = s->core.stats.estimate_high = s->core.stats.executions;
}

void explore_join_estimates(struct explore_stats *sum, const struct explore_stats *const *worker, uint32_t n)
{
	uint64_t mean = 0, low = 0, high = 0, known = 0;
	for (uint32_t i = 0; i < n; i++)
		known += worker[i]->estimate != 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct explore_stats *x = worker[i];
		if (!x->estimate)
			continue;
		mean = add_capped(mean, x->estimate / known);
		low = !low || x->estimate_low < low ? x->estimate_low : low;
		high = x->estimate_high > high ? x->estimate_high : high;
	}
	if (sum->finished)
		mean = low = high = sum->executions;
	sum->estimate_low = low < sum->executions ? sum->executions : low;
	sum->estimate = mean < sum->estimate_low ? sum->estimate_low : mean;
	sum->estimate_high = high < sum->estimate ? sum->estimate : high;
}
