/* Brute force for the toy machine: sets of traces, and every interleaving of a program. See lib_toy.h. */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "explore/search.h"
#include "tests/unit/lib_toy_random.h"
#include "tests/unit/lib_weak.h"

/* ---- sets of traces ---- */

static void absorb(struct toy_hash *h, uint64_t x)
{
	h->a += mix64(x + UINT64_C(0x9e3779b97f4a7c15));
	h->b += mix64(mix64(x) ^ UINT64_C(0xd1342543de82ef95));
}

struct toy_hash toy_trace_hash(const struct trace *trace)
{
	struct toy_hash h = {0, 0};
	uint32_t count[MAX_IDS];
	static _Thread_local uint32_t idx[TOY_TRACE];
	memset(count, 0, trace->threads * sizeof *count);
	for (uint32_t j = 0; j < trace->n; j++) {
		const struct event *e = &trace->event[j];
		idx[j] = count[e->thread];
		if (e->kind == EV_ATOMIC_BEGIN || e->kind == EV_ATOMIC_END)
			continue; /* a region that has begun but done nothing when the process ends cannot be observed */
		idx[j] = ++count[e->thread];
		uint64_t name = (uint64_t)e->thread << 16 | idx[j];
		bool waits = object_is_memory(e->obj[0]) && (e->flags & EVF_AWAIT);
		absorb(&h, name << 32 | (uint64_t)e->kind << 24 | (uint64_t)e->alt << 20 | (uint64_t)e->mode[0] << 10 |
				   (uint64_t)e->mode[1] << 5 | (waits ? 0 : (uint32_t)(e->result & 0x1f)));
		for (uint32_t i = 0; i < j; i++)
			if (trace->event[i].thread != e->thread && events_dependent(&trace->event[i], e) && trace->event[i].kind != EV_ATOMIC_BEGIN &&
				trace->event[i].kind != EV_ATOMIC_END)
				absorb(&h, mix64(name) ^ ((uint64_t)trace->event[i].thread << 16 | idx[i]) << 20);
	}
	return h;
}

static size_t find(const struct toy_set *s, struct toy_hash h)
{
	size_t at = h.a & (s->cap - 1);
	while ((s->h[at].a || s->h[at].b) && (s->h[at].a != h.a || s->h[at].b != h.b))
		at = (at + 1) & (s->cap - 1);
	return at;
}

bool toy_set_has(const struct toy_set *s, struct toy_hash h)
{
	return s->cap && s->h[find(s, h)].a == h.a && s->h[find(s, h)].b == h.b;
}

static void set_grow(struct toy_set *s)
{
	struct toy_set big = {calloc(s->cap ? s->cap * 2 : 64, sizeof *s->h), s->n, s->cap ? s->cap * 2 : 64};
	INVARIANT(big.h, "out of memory");
	for (size_t k = 0; k < s->cap; k++)
		if (s->h[k].a || s->h[k].b)
			big.h[find(&big, s->h[k])] = s->h[k];
	free(s->h);
	*s = big;
}

bool toy_set_add(struct toy_set *s, struct toy_hash h)
{
	if (s->n * 2 >= s->cap)
		set_grow(s);
	size_t at = find(s, h);
	if (s->h[at].a || s->h[at].b)
		return false;
	s->h[at] = h;
	s->n++;
	return true;
}

size_t toy_set_missing(const struct toy_set *from, const struct toy_set *in)
{
	size_t n = 0;
	for (size_t k = 0; k < from->cap; k++)
		n += (from->h[k].a || from->h[k].b) && !toy_set_has(in, from->h[k]);
	return n;
}

void toy_set_clear(struct toy_set *s)
{
	free(s->h);
	*s = (struct toy_set){0};
}

/* ---- the oracle ---- */

struct path {
	uint32_t n, pos;
	bool eager; /* events that conflict with nothing else run first, without branching */
	bool units; /* a thread that continues in an atomic region is not run eagerly */
	struct {
		uint8_t tried, of;
	} at[TOY_TRACE];
};

static bool is_birth_or_end(const struct event *e)
{
	return e->kind == EV_THREAD_CREATE || e->kind == EV_THREAD_START || e->kind == EV_THREAD_EXIT || e->kind == EV_THREAD_JOIN;
}

/* When nothing ends the process early, these commute with every event that is not ordered with them anyway: creation, start, end and join of
   a thread, local events (also an enabled fence), and stores into a buffer. So running them first loses no trace. */
static int eager_choice(const struct path *p, const struct sched_view *view)
{
	for (unsigned k = 0; p->eager && k < view->n; k++) {
		const struct choice *c = &view->choices[k];
		const struct event *e = &view->trace->pending[c->thread];
		if (is_birth_or_end(e))
			return (int)k;
		if (!p->units && (e->kind == EV_YIELD || e->kind == EV_FENCE || e->kind == EV_BARRIER_PASS || event_buffered(e)))
			return (int)k;
	}
	return -1;
}

static int oracle_pick(void *ctx, const struct sched_view *view)
{
	struct path *p = ctx;
	int k = eager_choice(p, view);
	if (p->pos == p->n) {
		p->at[p->n].tried = 0;
		p->at[p->n++].of = k >= 0 ? 1 : (uint8_t)view->n;
	}
	return k >= 0 ? (p->pos++, k) : p->at[p->pos++].tried;
}

/* Returns whether some events depend on every other event: the process may end while threads are still running, or there are regions to
   explore. */
static bool ends_early(const struct toy_program *p)
{
	unsigned joins = 0;
	for (unsigned t = 0; t < p->threads; t++)
		for (unsigned i = 0; i < p->len[t]; i++) {
			joins += p->code[t][i].op == TOY_JOIN;
			if (p->code[t][i].op == TOY_DIE_EQ || p->code[t][i].op == TOY_EXPLORE_BEGIN || p->code[t][i].op == TOY_EXIT)
				return true;
		}
	return joins + 1 < p->threads && !p->late_exit;
}

static bool has_units(const struct toy_program *p)
{
	for (unsigned t = 0; t < p->threads; t++)
		for (unsigned i = 0; i < p->len[t]; i++)
			if (p->code[t][i].op == TOY_ATOMIC_BEGIN)
				return true;
	return false;
}

/* Adds the events done before each event on which everything depends. Shasha-Snir traces lack this. */
static void absorb_regions(const struct trace *trace, struct toy_hash *h)
{
	uint64_t done = 0;
	static _Thread_local uint64_t count[MAX_IDS];
	memset(count, 0, sizeof count);
	for (uint32_t i = 0; i < trace->n; i++) {
		const struct event *e = &trace->event[i];
		if (event_with_all(e))
			absorb(h, mix64(done) + i);
		/* which agent stores depends on the order */
		uint64_t no = e->kind == EV_UPDATE ? (1u << 31) + update_number(e) : ++count[e->thread];
		done += mix64((uint64_t)event_owner(e) << 32 | no);
	}
}

/* Gives the locks and unlocks of steps the modes that they have in a search with steps. */
static void steps_of(const struct toy *t)
{
	object_id in[MAX_IDS] = {0};
	for (uint32_t i = 0; i < t->trace.n; i++) {
		struct event *e = &t->trace.event[i];
		struct object_info info;
		if (e->kind == EV_MUTEX_LOCK && e->mode[0] == M_ACQ && !event_failed(e) && world_object_info(t->world, e->obj[0], &info) &&
			!section_is_open(t->classes, info.addr, e->pc)) {
			e->mode[0] = M_SECT;
			in[e->thread] = e->obj[0];
		} else if (e->kind == EV_COND_WAKE && e->mode[1] == M_ACQ &&
			   world_object_info(t->world, e->obj[1], &info) &&
			   !section_is_open(t->classes, info.addr, e->pc)) {
			e->mode[1] = M_SECT;
			in[e->thread] = e->obj[1];
		} else if (e->kind == EV_MUTEX_UNLOCK && in[e->thread] == e->obj[0]) {
			e->mode[0] = M_NONE;
			in[e->thread] = 0;
		} else if (e->kind == EV_COND_WAIT && e->obj[1] && in[e->thread] == e->obj[1]) {
			e->mode[1] = M_NONE;
			in[e->thread] = 0;
		}
	}
}

struct toy_hash toy_hash_of(const struct toy *t)
{
	if (t->memory_only || t->p->model != MODEL_SC) {
		struct toy_hash h = toy_weak_hash(t, !t->memory_only);
		absorb_regions(&t->trace, &h);
		return h;
	}
	if (t->classes)
		steps_of(t);
	return toy_trace_hash(&t->trace);
}

/* The part of the tree of choices that the runs so far have covered. The alternatives at a choice have equal shares. */
static double covered(const struct path *p)
{
	double part = 0, share = 1;
	for (uint32_t i = 0; i < p->n; i++) {
		share /= p->at[i].of;
		part += p->at[i].tried * share;
	}
	return part;
}

/* Returns whether a program seems to have more than four times as many interleavings as the limit allows. */
static bool seems_too_big(const struct path *p, uint64_t runs, uint64_t limit)
{
	return runs >= 32 && covered(p) * 4 * (double)limit < (double)runs;
}

bool toy_oracle_assumed(struct toy *t, struct toy_set *out, struct toy_set *assumed, uint64_t limit, uint64_t *runs)
{
	static struct path p;
	p.n = 0;
	p.eager = !ends_early(t->p);
	p.units = has_units(t->p);
	uint32_t known = t->await.changes + t->regions;
	uint64_t since = 0;
	bool guess = !t->until && toy_random_part(100) < 100;
	for (*runs = 1; *runs <= limit; ++*runs) {
		p.pos = 0;
		enum run_verdict verdict = toy_execute(t, oracle_pick, NULL, &p);
		if (verdict != RUN_CUT && verdict != RUN_COVERED && (verdict != RUN_ASSUMED || assumed)) {
			struct toy_hash h = toy_hash_of(t);
			toy_set_add(verdict == RUN_ASSUMED ? assumed : out, h);
			if (t->until && t->until->a == h.a && t->until->b == h.b)
				return true;
		}
		if (t->await.changes + t->regions != known) {
			known = t->await.changes + t->regions;
			toy_set_clear(out);
			if (assumed)
				toy_set_clear(assumed);
			p.n = 0;
			since = *runs;
			continue;
		}
		while (p.n && p.at[p.n - 1].tried + 1 >= p.at[p.n - 1].of)
			p.n--;
		if (!p.n)
			return true;
		p.at[p.n - 1].tried++;
		if (guess && seems_too_big(&p, *runs - since, limit))
			return false;
	}
	return false;
}

bool toy_oracle(struct toy *t, struct toy_set *out, uint64_t limit, uint64_t *runs)
{
	return toy_oracle_assumed(t, out, NULL, limit, runs);
}
