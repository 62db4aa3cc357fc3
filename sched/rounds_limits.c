/* Limits of waiting loops that count their turns, and the probes that find them; see rounds.h. */
#include "sched/rounds_internal.h"

static uint32_t find_place(const struct rounds_limits *l, uint64_t place)
{
	uint32_t i = 0;
	while (i < l->n && i < ROUNDS_PLACES && l->place[i] != place)
		i++;
	return i;
}

static uint64_t place_of(const struct op *op)
{
	return op->pc << 8 | (op->kind == EV_COND_WOKEN ? EV_COND_WAIT : op->kind);
}

bool rounds_times_out(const struct op *op)
{
	return (op->kind == EV_COND_WAIT || op->kind == EV_COND_WOKEN) && (op->flags & OPF_TIMED);
}

/* Returns the index of the place, which becomes an entry if there is room. */
static uint32_t add_place(struct rounds_limits *l, uint64_t place)
{
	uint32_t i = find_place(l, place);
	if (i < ROUNDS_PLACES)
		l->place[i] = place;
	l->n += i == l->n && i < ROUNDS_PLACES;
	return i;
}

static void limit(struct rounds_limits *l, uint64_t place)
{
	uint32_t i = add_place(l, place);
	if (i < ROUNDS_PLACES)
		l->limited |= UINT64_C(1) << i;
}

bool rounds_make_again(struct rounds_limits *l)
{
	bool again = l->early != 0;
	l->early = 0;
	return again;
}

/* The probe has found a loop that needs a limit. All places of the loop get it, so that it does not matter which one was probed. r: the
   loop's turns. */
static void probe_limits(struct rounds_limits *l, const struct rounds *r)
{
	limit(l, l->probed);
	for (uint32_t i = 0; i < r->places; i++)
		if (r->turn[i].n >= ROUNDS_SUSPECT - 1)
			limit(l, r->turn[i].place);
	l->probe = PROBE_OVER;
	l->early = 0;
	l->changes++;
}

void rounds_probe_forget(struct rounds_limits *l)
{
	if (l->early && l->probe == PROBE_WANTED) {
		l->early_probes[l->early - 1]--;
		l->early = 0;
		l->probe = PROBE_OFF;
	} else if (l->early && l->probe == PROBE_RUNS) {
		l->probe = PROBE_OVER;
	}
}

/* The thread has left the loop. */
static void probe_ended(struct rounds_limits *l)
{
	if (l->early) {
		rounds_probe_forget(l);
		return;
	}
	uint32_t i = add_place(l, l->probed);
	l->ended[i]++;
	l->helped |= (uint64_t)(l->help != 0) << i;
	l->probe = PROBE_OVER;
	l->changes++;
}

void rounds_probe_end(struct rounds_limits *l)
{
	if (l->probe == PROBE_WANTED || l->probe == PROBE_RUNS)
		probe_ended(l);
	l->probe = PROBE_OFF;
}

void rounds_turns_end(const struct world *w, const struct wthread *t)
{
	struct rounds *r = t->rounds;
	struct rounds_limits *l = w->config.limits;
	r->places = 0;
	r->beyond = false;
	if (l && l->probe == PROBE_RUNS && l->thread == t->id)
		probe_ended(l);
}

static uint32_t *turns_at(struct rounds *r, uint64_t place)
{
	uint32_t i = 0;
	while (i < r->places && r->turn[i].place != place)
		i++;
	return i < r->places ? &r->turn[i].n : NULL;
}

void rounds_count_turn(struct wthread *t)
{
	struct rounds *r = t->rounds;
	uint32_t *n = turns_at(r, place_of(&t->op));
	if (!n && r->places < PLACES) {
		r->turn[r->places].place = place_of(&t->op);
		n = &r->turn[r->places++].n;
		*n = 0;
	}
	if (n)
		++*n;
}

static void want_probe(struct rounds_limits *l, const struct wthread *t, uint32_t early)
{
	l->probe = PROBE_WANTED;
	l->thread = t->id;
	l->probed = place_of(&t->op);
	l->early = early;
	l->help = 0;
}

/* The same as `suspect`, after few turns. A loop that comes back to a state needs no limit. */
static void suspect_early(struct rounds_limits *l, const struct wthread *t, uint32_t n)
{
	uint64_t place = place_of(&t->op);
	uint32_t i = 0;
	while (i < l->early_places && l->early_place[i] != place)
		i++;
	if (i == ROUNDS_EARLY || t->rounds->beyond)
		return;
	if (i == l->early_places) {
		l->early_place[l->early_places++] = place;
		l->early_probes[i] = 0;
	}
	if (l->early_probes[i] == ROUNDS_PROBES || n >> l->early_probes[i] < ROUNDS_TRIED)
		return;
	l->early_probes[i]++;
	want_probe(l, t, i + 1);
}

/* t is about to make another turn after n turns at a place without a limit. */
static void suspect(const struct world *w, const struct wthread *t, uint32_t n)
{
	struct rounds_limits *l = w->config.limits;
	uint64_t place = place_of(&t->op);
	if (l->probe == PROBE_RUNS) {
		if (l->thread == t->id && l->probed == place && n >= ROUNDS_TURNS && w->config.trace->n >= l->enough)
			probe_limits(l, t->rounds);
		return;
	}
	if (l->probe != PROBE_OFF || !rounds_leave_out(w))
		return;
	if (n < ROUNDS_SUSPECT) {
		suspect_early(l, t, n);
		return;
	}
	uint32_t i = find_place(l, place), ended = i < l->n ? l->ended[i] : 0;
	if (i == ROUNDS_PLACES || ended == ROUNDS_PROBES || n >> ended < ROUNDS_SUSPECT)
		return;
	want_probe(l, t, 0);
	/* Two threads can keep each other in it. A writer that claims the lock and gives up leaves it in each probe that begins when the readers
	   have just gone, and makes one turn more in each execution. */
	bool claims = t->op.kind == EV_RW_TRYWRLOCK && t->op.type == RWLOCK_PREFERS_WRITERS;
	if (ended >= ROUNDS_HELPED && (claims || (l->helped >> i & 1)))
		probe_limits(l, t->rounds);
}

void rounds_check_limit(const struct world *w, const struct wthread *t, bool changed)
{
	struct rounds *r = t->rounds;
	const struct rounds_limits *l = w->config.limits;
	r->limited = false;
	if (t->op.wrote) {
		rounds_forget(r);
		rounds_turns_end(w, t);
		return;
	}
	if (changed) {
		rounds_turns_end(w, t);
		return;
	}
	const uint32_t *n = t->op.counts ? turns_at(r, place_of(&t->op)) : NULL;
	if (!n || *n < ROUNDS_TRIED)
		return;
	uint32_t i = find_place(l, place_of(&t->op));
	r->limited = i < l->n && (l->limited >> i & 1);
	if (!r->limited)
		suspect(w, t, *n);
}
