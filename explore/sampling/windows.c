/* Strategy `windows`: see windows.h. */
#include "explore/sampling/windows.h"

#include "explore/sampling/sample.h"
#include "explore/search.h"

#define NEARER 12u /* places in executions that are cut: up to 2^-0 to 2^-11 of what was seen, all equally likely */

static struct windows *windows_of(struct core *s)
{
	return arena_ptr(core_arena(s), sample_of(s)->windows);
}

static uint8_t *others_at(struct core *s, uint32_t at)
{
	return (uint8_t *)vec_data(s, &windows_of(s)->others) + at;
}

/* ---- planning ---- */

/* Chooses a place for the window. If no execution was seen to its end, most are early, since these cost less. */
static void place(struct core *s, struct windows *w)
{
	uint32_t events = w->events ? w->events : 1;
	w->stage = WINDOW_BASE;
	w->from = sample_below(s, w->cut ? 1 + (events >> sample_below(s, NEARER)) : events);
	w->to = w->from + WINDOW_LONGEST;
	s->stats.window_from = w->from;
}

/* Begins with another window. */
static void scout(struct core *s, struct windows *w)
{
	uint32_t least = SLICE_LEAST << sample_below(s, SLICE_DOUBLINGS);
	w->stage = WINDOW_SCOUT;
	w->slice = least + sample_below(s, least);
	w->rng = sample_of(s)->rng;
	w->from = w->to = s->stats.window_from = 0;
	w->others.n = 0;
	if (w->cut && w->left) {
		w->left--;
		place(s, w);
	}
}

/* Sets *p to the first preemption at or after it. Returns false if there is none. */
static bool next_point(struct core *s, struct window_point *p)
{
	const struct windows *w = windows_of(s);
	while (p->at < w->others.n && p->other >= *others_at(s, p->at))
		*p = (struct window_point){.at = p->at + 1};
	return p->at < w->others.n;
}

/* Sets *p to a random preemption of the window, which has one. */
static void random_point(struct core *s, struct window_point *p)
{
	do
		*p = (struct window_point){.at = sample_below(s, windows_of(s)->others.n)};
	while (!*others_at(s, p->at));
	p->other = sample_below(s, *others_at(s, p->at));
}

/* Cuts the window down to w->most preemptions. Returns their number. */
static uint32_t cut_down(struct core *s, struct windows *w)
{
	uint32_t sum = 0;
	for (uint32_t at = 0; at < w->others.n; at++) {
		sum += *others_at(s, at);
		if (sum > w->most && at >= WINDOW_SHORTEST) {
			sum -= *others_at(s, at);
			w->others.n = at;
		}
	}
	w->to = w->from + w->others.n;
	return sum;
}

static void plan_pair(struct core *s, struct windows *w)
{
	struct window_point a, b;
	w->pairs--;
	random_point(s, &a);
	random_point(s, &b);
	w->point[0] = a.at <= b.at ? a : b;
	w->point[1] = a.at <= b.at ? b : a;
}

/* Returns whether the planned execution ends soon after its window. */
static bool is_brief(struct core *s, const struct windows *w)
{
	uint64_t fit = WINDOW_TAILS / (w->work + 1) + 1; /* executions of a window that can go on to their end */
	uint32_t most = w->most + w->most / 2; /* executions with preemptions of one window */
	if (w->stage == WINDOW_SCOUT || w->stage == WINDOW_BASE)
		return false;
	return fit < most && sample_below(s, most) >= fit;
}

static void plan_next(struct core *s, struct windows *w)
{
	switch ((enum window_stage)w->stage) {
	case WINDOW_SCOUT:
		place(s, w);
		return;
	case WINDOW_BASE:
		w->pairs = cut_down(s, w) / 2;
		w->point[0] = (struct window_point){0};
		w->point[1] = (struct window_point){.at = NO_INDEX};
		w->stage = WINDOW_ONE;
		if (next_point(s, &w->point[0]))
			return;
		break;
	case WINDOW_ONE:
		w->point[0].other++;
		if (next_point(s, &w->point[0]))
			return;
		s->stats.windows++;
		s->stats.window_events += w->others.n;
		s->stats.window_cut += w->cut != 0;
		w->stage = WINDOW_PAIR;
		/* fallthrough */
	case WINDOW_PAIR:
		if (w->pairs) {
			plan_pair(s, w);
			return;
		}
		break;
	}
	scout(s, w);
}

static bool windows_begin(void *self)
{
	struct core *s = self;
	if (!sample_begin(s))
		return false;
	struct sampling *p = sample_of(s);
	bool first = !p->windows;
	if (first && !(p->windows = core_alloc(s, sizeof(struct windows))))
		return false;
	if (first || p->outdated) /* other accesses are events from now on, so preemptions have other numbers */
		scout(s, windows_of(s));
	else
		plan_next(s, windows_of(s));
	sample_of(s)->outdated = 0;
	windows_of(s)->gave = windows_of(s)->calls = 0;
	windows_of(s)->brief = is_brief(s, windows_of(s));
	windows_of(s)->rng_inside = sample_of(s)->rng;
	sample_of(s)->rng = windows_of(s)->rng;
	return !s->failed;
}

bool explore_window(void *memory, struct explore_window *out)
{
	struct core *s = memory;
	if (s->config.strategy != STRATEGY_WINDOWS || !s->sampling || !sample_of(s)->windows)
		return false;
	const struct windows *w = windows_of(s);
	*out = (struct explore_window){.slice = w->slice, .from = w->from, .to = w->to};
	return true;
}

uint32_t windows_repeat(struct core *s, const struct trace *trace)
{
	const struct windows *w = windows_of(s);
	bool again = w->stage == WINDOW_ONE || w->stage == WINDOW_PAIR; /* the latest execution had this window, too */
	return again && trace->n >= w->from ? w->from : 0;
}

/* ---- an execution ---- */

static bool normal(const struct choice *c)
{
	return c->alt == ALT_NORMAL || choose_is_part(c->alt);
}

/* Returns whether choice k is the first normal one of its thread. */
static bool leads(const struct sched_view *view, uint32_t k)
{
	const struct choice *c = &view->choices[k];
	return normal(c) && (k == 0 || c[-1].thread != c->thread || !normal(&c[-1]));
}

/* The choice without a preemption: the current thread goes on if it can, and has not just yielded; else the next one. */
static uint32_t unpreempted(const struct sched_view *view)
{
	uint32_t best = NO_INDEX, best_turn = 0;
	for (uint32_t k = 0; k < view->n; k++) {
		const struct choice *c = &view->choices[k];
		uint32_t turn = (uint16_t)(c->thread - view->current - view->current_yielded);
		if (leads(view, k) && (best == NO_INDEX || turn < best_turn)) {
			best = k;
			best_turn = turn;
		}
	}
	return best == NO_INDEX ? 0 : best;
}

/* Returns the choice of the thread with number `other` among those that could run instead of choice k; k if there is
   none. Sets *n to their number. */
static uint32_t instead(const struct sched_view *view, uint32_t k, uint32_t other, uint32_t *n)
{
	uint32_t found = k;
	*n = 0;
	for (uint32_t i = 0; i < view->n; i++)
		if (leads(view, i) && view->choices[i].thread != view->choices[k].thread && (*n)++ == other)
			found = i;
	return found;
}

/* Returns the choice at event `at` of the window. */
static uint32_t pick_inside(struct core *s, struct windows *w, const struct sched_view *view, uint32_t at)
{
	uint32_t k = unpreempted(view), n;
	if (w->stage == WINDOW_BASE) {
		instead(view, k, 0, &n);
		uint8_t *others = vec_push(s, &w->others, 1);
		if (others)
			*others = (uint8_t)(n < UINT8_MAX ? n : UINT8_MAX);
		return k;
	}
	for (unsigned i = 0; i < 2; i++)
		if (w->point[i].at == at)
			return instead(view, k, w->point[i].other, &n);
	return k;
}

/* Returns about how many accesses to memory the running execution has made in slices. */
static uint64_t accesses(const struct windows *w)
{
	return (uint64_t)w->gave * w->slice;
}

/* Returns whether the execution, which has n events so far, ends here. */
static bool ends_here(const struct windows *w, uint32_t n)
{
	uint32_t after = w->to && n >= w->to ? n - w->to : 0;
	if (after > WINDOW_LENGTHENED * w->events + WINDOW_AFTER)
		return true;
	if (after && w->brief)
		return after >= WINDOW_BRIEF || (uint64_t)(w->gave - w->gave_before) * w->slice > WINDOW_BRIEF_WORK;
	return (w->cut && after >= WINDOW_AFTER) || accesses(w) > WINDOW_WORK;
}

/* The execution is at the first event of its window, where it may have started, from a snapshot. */
static void at_window(struct core *s, struct windows *w)
{
	if (w->stage == WINDOW_BASE)
		w->gave_before = w->gave;
	else if (w->stage != WINDOW_SCOUT)
		w->gave = w->gave_before;
	sample_of(s)->rng = w->rng_inside;
}

static int windows_pick(void *self, const struct sched_view *view)
{
	struct core *s = self;
	struct windows *w = windows_of(s);
	uint32_t n = view->trace->n;
	if (n == w->from)
		at_window(s, w);
	w->stopped = ends_here(w, n);
	if (w->stopped)
		return PICK_STOP;
	if (view->closed || n < w->from || n >= w->to)
		return sample_value(s, view, 0);
	uint32_t k = pick_inside(s, w, view, n - w->from);
	return s->failed ? PICK_STOP : sample_value(s, view, k);
}

static void windows_observe(void *self, const struct event *e)
{
	struct windows *w = windows_of(self);
	w->gave += e->kind == EV_GIVE_WAY;
	w->calls += event_kind_object(e->kind) == OBJ_FD;
}

void explore_join_windows(struct explore_stats *to, uint64_t operations, uint32_t uncut)
{
	bool first = !to->window_operations || (uncut && !to->window_uncut);
	bool fewer = uncut && operations < to->window_operations;
	bool more = !uncut && !to->window_uncut && operations > to->window_operations;

	if (operations && (first || fewer || more))
		to->window_operations = operations;
	to->window_uncut += uncut;
}

/* Returns how many single preemptions a window may have in executions with `calls` operations on descriptors. */
static uint32_t most_preemptions(uint32_t calls)
{
	uint32_t most = WINDOW_CALLS / (calls + 1);
	if (most < WINDOW_FEWEST)
		return WINDOW_FEWEST;
	return most < WINDOW_EXECUTIONS ? most : WINDOW_EXECUTIONS;
}

/* An execution in slices has ended. */
static void scouted(struct core *s, struct windows *w, const struct trace *trace, enum run_verdict verdict)
{
	uint64_t n = trace->n + accesses(w);
	w->events = s->stats.window_whole = trace->n;
	w->most = most_preemptions(w->calls);
	w->work = accesses(w) + (uint64_t)trace->n * WINDOW_EVENT;
	if (verdict != RUN_CUT && !w->stopped)
		w->cut = 0;
	else if (w->cut < WINDOW_DOUBLINGS)
		w->cut++;
	w->left = (uint8_t)((1u << w->cut) - 1);
	explore_join_windows(&s->stats, n, w->cut == 0);
}

static void windows_end(void *self, const struct trace *trace, enum run_verdict verdict)
{
	struct core *s = self;
	struct windows *w = windows_of(s);
	if (w->stage == WINDOW_SCOUT)
		scouted(s, w, trace, verdict);
	s->stats.window_pairs += w->stage == WINDOW_PAIR;
	s->stats.window_ended += w->stopped;
	if (w->stopped)
		sample_ended_early(self, trace);
	else
		sample_end(self, trace, verdict);
	w->stopped = 0;
}

const struct strategy_ops windows_ops = {
	.name = "windows",
	.begin = windows_begin,
	.pick = windows_pick,
	.observe = windows_observe,
	.end = windows_end,
};
