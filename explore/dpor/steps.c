/*
 * Every order of processes that the program schedules itself, up to the order of independent steps (sched/step.h).
 *
 * Depth-first search over the choices, like exhaustive.c, with sleep sets: Godefroid, Partial-Order Methods for the Verification of Concurrent
 * Systems, LNCS 1032, 1996, chapter 5. A transition is a whole step of a process, so the sets have processes, not threads. The search knows what
 * a step does once it was executed. That suffices: a process sleeps only after its step was executed from a state that differs from the
 * present one by independent steps.
 *
 *   T (transitions tried in a state)  = turn.done_n slumberers after those that slept when the state was reached
 *   Sleep(s')                         = the slumberers of s whose footprint is independent of the step that led from s to s'
 *
 * A *turn* is a choice of a process: one CHOOSE, or several nested ones (choice.h). A turn whose processes all sleep ends the execution, which
 * counts as blocked; so does a single runnable process that sleeps (explore_asleep). All other choices of the search have every alternative.
 * Sleep sets leave no trace out and explore none twice; executions that are blocked are their price.
 *
 * Turns exist only where nothing but these processes can run: where another thread has a choice, each alternative is tried. Footprints of steps
 * with events in them are unknown, so no process sleeps then.
 */
#include "explore/tree/estimate.h"
#include "explore/dpor/exhaustive.h"
#include "explore/tree/prefix.h"
#include "explore/search.h"
#include "sched/choice.h"
#include "sched/step.h"

struct turn {
	uint32_t node;                  /* its first CHOOSE */
	uint32_t number;                /* struct step_table.choices */
	uint32_t process_at, process_n; /* turn_processes[at .. + n): by the value of the CHOOSE */
	uint32_t slumber_at, slumber_n; /* slumberers[at .. + n): processes that slept when the turn was reached */
	uint32_t done_n;                /* after those: processes whose step was explored here */
	uint32_t words_at;              /* step_words[at ..) belong to this and later turns */
	uint32_t foot_at, foot_n;       /* step_words[at .. + n): footprint of the step that is being explored */
	enum { FOOT_NONE, FOOT_KNOWN, FOOT_UNKNOWN } foot;
	bool taken;                     /* a process is chosen */
	uint64_t process;               /* which one */
};

/* A process, with the footprint of its step. */
struct slumberer {
	uint64_t process;
	uint32_t foot_at, foot_n; /* step_words[at .. + n) */
};

static struct turn *turn_at(struct search *s, uint32_t i)
{
	return (struct turn *)vec_data(&s->core, &s->steps.turns) + i;
}

static struct turn *last_turn(struct search *s)
{
	return s->steps.turns.n ? turn_at(s, s->steps.turns.n - 1) : NULL;
}

static struct slumberer *slumberer_at(struct search *s, uint32_t i)
{
	return (struct slumberer *)vec_data(&s->core, &s->steps.slumberers) + i;
}

static uint64_t *process_at(struct search *s, uint32_t i)
{
	return (uint64_t *)vec_data(&s->core, &s->steps.processes) + i;
}

static struct step_word *word_at(struct search *s, uint32_t i)
{
	return (struct step_word *)vec_data(&s->core, &s->steps.words) + i;
}

/* Pops the turns that begin at nodes from n on. */
static void truncate_turns(struct search *s, uint32_t n)
{
	for (struct turn *t; (t = last_turn(s)) && t->node >= n; s->steps.turns.n--) {
		s->steps.processes.n = t->process_at;
		s->steps.slumberers.n = t->slumber_at;
		s->steps.words.n = t->words_at;
	}
}

/* ---- sleeping ---- */

/* Returns whether the process with this value slept when the turn was reached. Two processes of the same name never sleep. */
static bool sleeps(struct search *s, const struct turn *t, uint32_t value)
{
	uint64_t process = *process_at(s, t->process_at + value);
	uint32_t same = 0, slumbers = 0;
	for (uint32_t i = 0; i < t->slumber_n; i++)
		slumbers += slumberer_at(s, t->slumber_at + i)->process == process;
	for (uint32_t i = 0; slumbers && i < t->process_n; i++)
		same += *process_at(s, t->process_at + i) == process;
	return slumbers && same == 1;
}

/* Returns whether all processes of this alternative of a CHOOSE sleep. */
static bool all_sleep(struct search *s, const struct turn *t, const struct event *choice)
{
	struct chosen c = choose_chosen(choice->result);
	for (uint32_t i = c.first; i < c.first + c.count; i++)
		if (!sleeps(s, t, i))
			return false;
	return true;
}

/* Returns whether slumberer x still sleeps after a step with this footprint. */
static bool sleeps_on(struct search *s, const struct slumberer *x, const struct step_word *word, uint32_t n)
{
	return !step_dependent(word_at(s, x->foot_at), x->foot_n, word, n);
}

bool explore_asleep(void *memory, const struct trace *trace)
{
	struct search *s = memory;
	const struct step_table *step = trace->steps;
	const struct turn *t = s->core.config.strategy == STRATEGY_STEPS && s->tree.pos >= s->tree.prefix ? last_turn(s) : NULL;
	if (!t || !t->taken || step->ended != t->number || step->unknown)
		return false;
	for (uint32_t i = 0; i < t->slumber_n + t->done_n; i++)
		if (sleeps_on(s, slumberer_at(s, t->slumber_at + i), step->word, step->words))
			return true;
	return false;
}

/* ---- footprints ---- */

/* Keeps the footprint of the latest turn's step, if that step has ended. */
static void keep_footprint(struct search *s, const struct step_table *step)
{
	struct turn *t = last_turn(s);
	if (!t || !t->taken || t->foot != FOOT_NONE || step->ended != t->number)
		return;
	t->foot = FOOT_UNKNOWN;
	if (step->unknown || step->words > STEP_WORDS || !vec_reserve(&s->core, &s->steps.words, s->steps.words.n + step->words, sizeof(struct step_word)))
		return;
	t = last_turn(s);
	t->foot = FOOT_KNOWN;
	t->foot_at = s->steps.words.n;
	t->foot_n = step->words;
	memcpy(word_at(s, t->foot_at), step->word, step->words * sizeof step->word[0]);
	s->steps.words.n += step->words;
}

/* ---- turns ---- */

/* Finds out whether this state chooses a process. Sets the `result` of the choices in c to the events that they would be. */
static bool chooses_process(const struct sched_view *view, struct event *c)
{
	const struct step_table *step = view->trace->steps;
	if (!step || !step->choices || view->closed)
		return false;
	for (unsigned i = 0; i < view->n; i++) {
		struct event e;
		view->preview(view->world, view->choices[i], &e);
		struct chosen chosen = choose_chosen(e.result);
		if (e.kind != EV_CHOOSE || view->choices[i].thread != view->choices[0].thread || chosen.of != step->runnable)
			return false;
		c[i].result = e.result;
	}
	return true;
}

/* Fills in the sleep set of a new turn t, which follows turn number `before` of the stack. */
static bool fall_asleep(struct search *s, struct turn *t, uint32_t before)
{
	uint32_t n = turn_at(s, before)->slumber_n + turn_at(s, before)->done_n;
	if (!vec_reserve(&s->core, &s->steps.slumberers, s->steps.slumberers.n + n, sizeof(struct slumberer)))
		return false;
	const struct turn *b = turn_at(s, before);
	for (uint32_t i = 0; i < n; i++) {
		const struct slumberer *x = slumberer_at(s, b->slumber_at + i);
		if (!sleeps_on(s, x, word_at(s, b->foot_at), b->foot_n))
			continue;
		*slumberer_at(s, s->steps.slumberers.n++) = *x;
		t->slumber_n++;
	}
	return true;
}

/* Begins a turn at the next node. Returns false when memory is used up. */
static bool begin_turn(struct search *s, const struct step_table *step)
{
	uint32_t n = s->steps.turns.n;
	struct turn t = { .node = s->trace.nodes.n, .number = step->choices, .process_at = s->steps.processes.n, .process_n = step->runnable,
		.slumber_at = s->steps.slumberers.n, .words_at = s->steps.words.n };
	if (!vec_reserve(&s->core, &s->steps.processes, t.process_at + t.process_n, sizeof(uint64_t)))
		return false;
	memcpy(process_at(s, t.process_at), step->process, t.process_n * sizeof(uint64_t));
	s->steps.processes.n += t.process_n;
	if (n && turn_at(s, n - 1)->number + 1 == t.number && turn_at(s, n - 1)->foot == FOOT_KNOWN && !fall_asleep(s, &t, n - 1))
		return false;
	struct turn *to = vec_push(&s->core, &s->steps.turns, sizeof t);
	if (to)
		*to = t;
	return to;
}

/* The turn continues with this alternative of a CHOOSE. */
static void continue_turn(struct search *s, struct turn *t, const struct event *choice)
{
	struct chosen c = choose_chosen(choice->result);
	t->taken = c.count == 1;
	t->foot = FOOT_NONE;
	if (t->taken)
		t->process = *process_at(s, t->process_at + c.first);
}

/* The step that was being explored in the turn is explored. */
static bool finish_step(struct search *s, uint32_t turn)
{
	struct turn *t = turn_at(s, turn);
	bool sleeps = t->taken && t->foot == FOOT_KNOWN;
	t->taken = false;
	if (!sleeps)
		return true;
	struct slumberer x = { t->process, t->foot_at, t->foot_n }, *to = vec_push(&s->core, &s->steps.slumberers, sizeof x);
	if (!to)
		return false;
	*to = x;
	turn_at(s, turn)->done_n++;
	return true;
}

/* ---- the search ---- */

/* The choice of the node that is tried as number i. */
static const struct event *choice_at(struct search *s, uint32_t node, uint32_t i)
{
	const struct node *n = node_at(s, node);
	if (s->core.config.shuffle)
		i = (i + hash_mix(s->core.config.shuffle, node) % n->choice_n) % n->choice_n;
	return (struct event *)vec_data(&s->core, &s->trace.choices) + n->choice_at + i;
}

/* Makes node `node` try the first choice from number i on that does not sleep. Returns false when there is none. */
static bool try_from(struct search *s, uint32_t node, uint32_t i)
{
	struct node *n = node_at(s, node);
	struct turn *t = n->turn ? turn_at(s, n->turn - 1) : NULL;
	while (i < n->choice_n && t && all_sleep(s, t, choice_at(s, node, i)))
		i++;
	if (i >= n->choice_n)
		return false;
	n->tried = i;
	if (t)
		continue_turn(s, t, choice_at(s, node, i));
	return true;
}

static bool advance(struct search *s)
{
	while (s->trace.nodes.n && !s->core.failed) {
		uint32_t last = s->trace.nodes.n - 1, turn = node_at(s, last)->turn;
		if (turn && !finish_step(s, turn - 1))
			return false;
		if (try_from(s, last, node_at(s, last)->tried + 1))
			return true;
		prefix_truncate(s, last);
		truncate_turns(s, last);
	}
	return false;
}

static bool steps_begin(void *self)
{
	struct search *s = self;
	if (s->core.failed)
		return false;
	if (s->tree.started && !advance(s)) {
		if (!s->core.failed) {
			s->core.stats.finished = 1;
			estimate_done(s);
		}
		return false;
	}
	s->tree.started = 1;
	prefix_begin(s, s->trace.nodes.n ? s->trace.nodes.n - 1 : 0);
	return true;
}

static int picked(struct search *s, const struct sched_view *view)
{
	const struct event *c = choice_at(s, s->tree.pos, node_at(s, s->tree.pos)->tried);
	return view_find(view, c->thread, c->alt);
}

/* Makes the next node. Returns false when memory is used up, or when all processes of a turn sleep. */
static bool new_node(struct search *s, const struct sched_view *view)
{
	const struct step_table *step = view->trace->steps;
	struct node *n = prefix_push(s, view, false);
	if (!n)
		return false;
	const struct turn *t = last_turn(s);
	if (chooses_process(view, (struct event *)vec_data(&s->core, &s->trace.choices) + n->choice_at)) {
		bool nested = t && t->number == step->choices && !t->taken;
		uint32_t at = s->trace.nodes.n - 1;
		if (!nested && !(t && t->number == step->choices)) {
			s->trace.nodes.n--; /* the turn begins at this node */
			bool good = begin_turn(s, step);
			s->trace.nodes.n++;
			if (!good)
				return false;
			nested = true;
		}
		if (nested)
			node_at(s, at)->turn = s->steps.turns.n;
	}
	if (try_from(s, s->trace.nodes.n - 1, 0))
		return true;
	s->tree.redundant = 1;
	prefix_truncate(s, s->trace.nodes.n - 1);
	truncate_turns(s, s->trace.nodes.n);
	return false;
}

static int steps_pick(void *self, const struct sched_view *view)
{
	struct search *s = self;
	if (s->tree.pos < s->tree.prefix)
		return prefix_pick(s, view);
	if (s->core.failed)
		return s->core.stats.diverged ? PICK_DIVERGED : PICK_STOP;
	if (s->tree.pos < s->trace.nodes.n)
		return picked(s, view);
	if (view->trace->steps)
		keep_footprint(s, view->trace->steps);
	return new_node(s, view) ? picked(s, view) : PICK_STOP;
}

static void steps_end(void *self, const struct trace *trace, enum run_verdict verdict)
{
	struct search *s = self;
	if (s->tree.pos >= s->tree.prefix && trace->steps)
		keep_footprint(s, trace->steps);
	exhaustive_end(s, trace, verdict);
}

const struct strategy_ops steps_ops = {
	.name = "steps",
	.begin = steps_begin,
	.pick = steps_pick,
	.observe = exhaustive_observe,
	.end = steps_end,
};
