#include "replay/stronger.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define ONE_BY_ONE 12 /* with more places no single one is tried: halving the set takes fewer replays */

/* An instruction that makes atomic accesses, or fences. */
struct place {
	size_t step;  /* its first step */
	uint8_t order; /* enum rc11_order: tried there now, besides its own; RC11_RELAXED: nothing is */
};

struct search {
	struct recording *r;
	stronger_run run;
	void *ctx;
	unsigned most;
	size_t n;
	struct place *place;
	size_t *place_of; /* of each step; NO_STEP: it has no memory order */
	uint8_t *order;   /* of each step */
	bool over, unsure;
	size_t at;        /* of the last replay that was prevented */
};

bool stronger_applies(const struct recording *r)
{
	if (r->settings.model != MODEL_RC11)
		return false;
	if (r->failure.kind == BUG_RACE)
		return true;
	for (size_t i = 0; i < r->n_steps; i++)
		if (alternative_is_older(r->steps[i].alt))
			return true;
	return false;
}

/* ---- places ---- */

static bool has_order(const struct rec_step *s)
{
	return s->kind == EV_FENCE || (event_kind_object(s->kind) == OBJ_MEMORY && (s->flags & EVF_ATOMIC));
}

static bool same_frame(const struct rec_frame *x, const struct rec_frame *y)
{
	return x->offset == y->offset && x->module && y->module && !strcmp(x->module, y->module);
}

/* Returns whether the same code made both steps, called in the same way by the same line of the user. A wrapper of an
   atomic access, or a function of a library, is not one place if several lines call it. */
static bool same_code(const struct rec_step *a, const struct rec_step *b)
{
	const struct rec_frame *line = rec_stack_line_frame(&a->stack);
	size_t n = line ? (size_t)(line - a->stack.frame) + 1 : 0;

	if (a->kind != b->kind || !n || b->stack.n < n || rec_stack_line_frame(&b->stack) != &b->stack.frame[n - 1])
		return false;
	for (size_t i = 0; i < n; i++)
		if (!same_frame(&a->stack.frame[i], &b->stack.frame[i]))
			return false;
	return true;
}

static size_t place_of(struct search *s, size_t step)
{
	size_t i = 0;

	while (i < s->n && !same_code(&s->r->steps[s->place[i].step], &s->r->steps[step]))
		i++;
	if (i == s->n) {
		s->place = xgrow(s->place, s->n, sizeof(*s->place));
		s->place[s->n++] = (struct place){ .step = step };
	}
	return i;
}

static void find_places(struct search *s)
{
	for (size_t i = 0; i < s->r->n_steps; i++)
		s->place_of[i] = has_order(&s->r->steps[i]) ? place_of(s, i) : NO_STEP;
}

static const struct rec_step *step_of(const struct search *s, size_t place)
{
	return &s->r->steps[s->place[place].step];
}

/* The order that synchronises as much as this kind of access can, or as a fence can. */
static unsigned synchronising(const struct search *s, size_t place)
{
	unsigned kind = step_of(s, place)->kind;

	return order_of_both(kind != EV_STORE, kind != EV_LOAD);
}

/* Returns the order of the access when this one comes to its own. Recordings do not have the own order of a fence. */
static unsigned together(const struct search *s, size_t place, unsigned order)
{
	unsigned flags = step_of(s, place)->kind == EV_FENCE ? 0 : step_of(s, place)->flags;

	return order_both(order_of_both(flags & EVF_ACQUIRE, flags & EVF_RELEASE), order);
}

static bool has_already(const struct search *s, size_t place, unsigned order)
{
	return together(s, place, order) == together(s, place, RC11_RELAXED);
}

/* ---- replays ---- */

/* Returns how many places have another order than their own. */
static size_t count(const struct search *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->place[i].order != RC11_RELAXED;
	return n;
}

/* Returns whether the orders of the places prevent the failure. */
static bool prevents(struct search *s)
{
	enum stronger_result result = STRONGER_OVER;
	size_t at = 0;

	if (!count(s))
		return false; /* it is the schedule itself, which fails */
	for (size_t i = 0; i < s->r->n_steps; i++)
		s->order[i] = s->place_of[i] == NO_STEP ? RC11_RELAXED : s->place[s->place_of[i]].order;
	if (!s->over && s->r->orders.runs < s->most)
		result = s->run(s->ctx, s->order, &at);
	s->over |= result == STRONGER_OVER;
	s->unsure |= result == STRONGER_OVER || result == STRONGER_UNKNOWN;
	s->r->orders.runs += result != STRONGER_OVER;
	if (result == STRONGER_PREVENTED)
		s->at = at;
	return result == STRONGER_PREVENTED;
}

/* Gives each place its synchronising order, or all of them seq_cst; the others none. */
static void set_all(struct search *s, bool seq_cst)
{
	for (size_t i = 0; i < s->n; i++) {
		unsigned order = seq_cst ? RC11_SEQ_CST : synchronising(s, i);
		s->place[i].order = (uint8_t)(has_already(s, i, order) ? RC11_RELAXED : order);
	}
}

static void set_none(struct search *s)
{
	for (size_t i = 0; i < s->n; i++)
		s->place[i].order = RC11_RELAXED;
}

/* Tries each place alone, the last ones first: most failures read too early. */
static bool one_place(struct search *s)
{
	for (size_t i = s->n; i-- > 0 && !s->over;) {
		unsigned order = synchronising(s, i);
		if (has_already(s, i, order))
			continue;
		set_none(s);
		s->place[i].order = (uint8_t)order;
		if (prevents(s))
			return true;
	}
	return false;
}

/* Returns the place of the store of another thread that the step reads; NO_STEP: it reads none. */
static size_t source_of(const struct search *s, size_t step)
{
	const struct rec_step *load = &s->r->steps[step];
	size_t from = load->result > 0 ? (size_t)load->result - 1 : step;

	if (s->place_of[step] == NO_STEP || load->kind == EV_STORE || from >= step)
		return NO_STEP;
	if (s->r->steps[from].thread == load->thread)
		return NO_STEP;
	return s->place_of[from];
}

/* Tries each load with the store that it reads, the last ones first. A loop reads the same store many times. */
static bool two_places(struct search *s)
{
	bool tried[ONE_BY_ONE][ONE_BY_ONE] = {{false}};

	for (size_t i = s->r->n_steps; i-- > 0 && !s->over;) {
		size_t to = s->place_of[i], from = source_of(s, i);
		if (from == NO_STEP || from == to || tried[from][to] || has_already(s, from, synchronising(s, from)) ||
			has_already(s, to, synchronising(s, to)))
			continue;
		tried[from][to] = true;
		set_none(s);
		s->place[to].order = (uint8_t)synchronising(s, to);
		s->place[from].order = (uint8_t)synchronising(s, from);
		if (prevents(s))
			return true;
	}
	return false;
}

/* Leaves out the places from `from` to `to`, if the others are enough. `accesses`: no fences. */
static void leave_out(struct search *s, size_t from, size_t to, bool accesses)
{
	struct place *before = xcalloc(s->n, sizeof(*before));
	size_t had = count(s);

	memcpy(before, s->place, s->n * sizeof(*before));
	for (size_t i = from; i < to; i++)
		if (!accesses || step_of(s, i)->kind != EV_FENCE)
			s->place[i].order = RC11_RELAXED;
	if (count(s) != had && !prevents(s))
		memcpy(s->place, before, s->n * sizeof(*before));
	free(before);
}

/* Gives the place this order, if that is weaker and enough. Returns whether it did. */
static bool weaken(struct search *s, size_t place, unsigned order)
{
	unsigned before = s->place[place].order;

	if (has_already(s, place, order) || together(s, place, order) == together(s, place, before))
		return false;
	s->place[place].order = (uint8_t)order;
	if (prevents(s))
		return true;
	s->place[place].order = (uint8_t)before;
	return false;
}

static void weaken_place(struct search *s, size_t i)
{
	if (s->place[i].order == RC11_SEQ_CST)
		weaken(s, i, synchronising(s, i));
	if (step_of(s, i)->kind == EV_FENCE) /* with its own order, which is one of these, both are acq_rel */
		return;
	if (s->place[i].order == RC11_ACQ_REL && !weaken(s, i, RC11_ACQUIRE))
		weaken(s, i, RC11_RELEASE);
}

/* Leaves out places: all accesses, if the fences are enough, then large groups, then single ones. Then it weakens the
   orders of those that are left. */
static void reduce(struct search *s)
{
	leave_out(s, 0, s->n, true);
	for (size_t group = s->n / 2; group > 1; group /= 2)
		for (size_t i = 0; i < s->n && !s->over; i += group)
			leave_out(s, i, i + group < s->n ? i + group : s->n, false);
	s->unsure = s->over;
	for (size_t i = 0; i < s->n; i++)
		leave_out(s, i, i + 1, false);
	for (size_t i = 0; i < s->n; i++)
		weaken_place(s, i);
}

static bool few_places(struct search *s)
{
	return s->n <= ONE_BY_ONE && (one_place(s) || two_places(s));
}

/* Returns whether one half of this acq_rel may be enough though it was not tried: the program has the other half there,
   and replays only add orders. Which half a fence has is not known. */
static bool half_may_do(const struct search *s, size_t place)
{
	return s->place[place].order == RC11_ACQ_REL &&
	       (step_of(s, place)->kind == EV_FENCE || together(s, place, RC11_RELAXED) != RC11_RELAXED);
}

static void keep(struct search *s)
{
	struct rec_orders *o = &s->r->orders;

	o->prevented = true;
	o->fewest = !s->unsure;
	o->step = s->at;
	o->place = xcalloc(s->n, sizeof(*o->place));
	for (size_t i = 0; i < s->n; i++) {
		if (s->place[i].order == RC11_RELAXED)
			continue;
		o->fewest &= !half_may_do(s, i);
		o->place[o->n++] = (struct rec_stronger){
			.order = s->place[i].order, /* the own one is in it: weaken() skips halves that are there */
			.step = s->place[i].step,
		};
	}
}

/* Finds orders that prevent the failure. Returns false if no orders do, or they are not known. */
static bool find(struct search *s)
{
	set_all(s, false);
	if (prevents(s)) {
		if (!few_places(s))
			set_all(s, false);
	} else {
		set_all(s, true);
		s->unsure = false;
		if (!prevents(s))
			return false;
	}
	reduce(s);
	return true;
}

void stronger_find(struct recording *r, stronger_run run, void *ctx, unsigned most)
{
	struct search s = { .r = r, .run = run, .ctx = ctx, .most = most };

	s.place_of = xcalloc(r->n_steps, sizeof(*s.place_of));
	s.order = xcalloc(r->n_steps, sizeof(*s.order));
	find_places(&s);
	if (s.n && find(&s))
		keep(&s);
	else if (s.n && !s.unsure)
		r->orders.n = s.n;
	else
		r->orders.runs = 0;
	free(s.order);
	free(s.place_of);
	free(s.place);
}
