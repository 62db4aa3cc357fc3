/* Random litmus tests: see lib_weak.h. */
#include <string.h>

#include "tests/unit/lib_weak.h"

struct gen {
	struct toy_program *p;
	uint64_t state;
	int base;      /* first variable */
	unsigned vars;
	bool bytes;    /* accesses of bytes */
	unsigned stores, fences, rmws, locks; /* probabilities, in sixteenths */
};

static unsigned rnd(struct gen *g, unsigned n)
{
	uint64_t x = g->state += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (unsigned)((x ^ x >> 31) >> 33) % n;
}

static bool now_and_then(struct gen *g, unsigned of_16)
{
	return rnd(g, 16) < of_16;
}

static void add(struct gen *g, unsigned t, enum toy_op op, int a, int b, int c, int d)
{
	toy_add(g->p, t, op, a, b, c, d, 0);
}

/* Chooses where the last instruction accesses memory. Byte accesses lie in two neighbouring variables of one page. */
static void place(struct gen *g, unsigned t)
{
	static const uint8_t sizes[] = {1, 1, 2, 4, 8, 8, 12, 16};
	struct toy_instr *i = &g->p->code[t][g->p->len[t] - 1];
	int at = g->base + (int)rnd(g, g->vars);
	if (g->bytes && rnd(g, 8)) {
		unsigned size = sizes[rnd(g, sizeof sizes)];
		unsigned start = rnd(g, 4) ? rnd(g, 16 / size) * size : rnd(g, 17 - size);
		at = 8 * g->base + (int)start;
		toy_sized(g->p, t, size);
	}
	*(i->op == TOY_LOAD ? &i->b : &i->a) = (int16_t)at;
}

static void add_load(struct gen *g, unsigned t)
{
	add(g, t, TOY_LOAD, (int)rnd(g, 2), 0, 0, 0);
	place(g, t);
}

static void add_store(struct gen *g, unsigned t)
{
	static const enum toy_order orders[] = {TOY_PLAIN, TOY_PLAIN, TOY_PLAIN, TOY_PLAIN, TOY_PLAIN, TOY_RELEASE, TOY_RELEASE, TOY_DRAINS};
	add(g, t, TOY_STORE, 0, 1 + (int)rnd(g, 2), rnd(g, 4) ? 0 : 1 + (int)rnd(g, 2), 0);
	place(g, t);
	toy_ordered(g->p, t, orders[rnd(g, sizeof orders / sizeof *orders)]);
}

static void add_rmw(struct gen *g, unsigned t)
{
	switch (rnd(g, 4)) {
	case 0:
		add(g, t, TOY_XCHG, 0, 2, (int)rnd(g, 2), 0);
		break;
	case 1:
		add(g, t, TOY_ADD, 0, 1, 0, 0);
		break;
	default:
		add(g, t, TOY_CAS, 0, (int)rnd(g, 2), 1 + (int)rnd(g, 2), (int)rnd(g, 2));
	}
	place(g, t);
}

static void add_access(struct gen *g, unsigned t)
{
	if (now_and_then(g, g->rmws))
		add_rmw(g, t);
	else if (now_and_then(g, g->stores))
		add_store(g, t);
	else
		add_load(g, t);
}

static unsigned some(struct gen *g, unsigned t, unsigned budget);

static unsigned add_locked(struct gen *g, unsigned t, unsigned budget)
{
	int m = (int)rnd(g, 2);
	add(g, t, TOY_LOCK, m, 0, 0, 0);
	unsigned used = 1;
	if (rnd(g, 8) == 0) { /* possibly a deadlock */
		add(g, t, TOY_LOCK, !m, 0, 0, 0);
		add(g, t, TOY_UNLOCK, !m, 0, 0, 0);
		used++;
	}
	if (budget > used && rnd(g, 4)) {
		add_access(g, t);
		used++;
	}
	add(g, t, TOY_UNLOCK, m, 0, 0, 0);
	return used;
}

/* Adds accesses with instructions around them. Returns how many count against the budget. */
static unsigned some(struct gen *g, unsigned t, unsigned budget)
{
	if (now_and_then(g, g->fences))
		add(g, t, rnd(g, 2) ? TOY_FENCE : TOY_RELEASE_FENCE, 0, 0, 0, 0);
	if (now_and_then(g, g->locks))
		return add_locked(g, t, budget);
	if (budget >= 2 && rnd(g, 6) == 0) {
		add_load(g, t);
		const struct toy_instr *i = &g->p->code[t][g->p->len[t] - 1];
		add(g, t, rnd(g, 2) ? TOY_SKIP_EQ : TOY_SKIP_NE, i->a, (int)rnd(g, 2), 1, 0);
		add_access(g, t);
		return 2;
	}
	add_access(g, t);
	return 1;
}

/* Two accesses to different variables, sometimes with something in between that orders them: most of the known litmus tests have this form. */
static void add_pair(struct gen *g, unsigned t)
{
	int first = (int)rnd(g, 2);
	for (int k = 0; k < 2; k++) {
		add_access(g, t);
		struct toy_instr *i = &g->p->code[t][g->p->len[t] - 1];
		i->size = 0;
		*(i->op == TOY_LOAD ? &i->b : &i->a) = (int16_t)(g->base + (first ^ k));
		if (k == 0 && rnd(g, 2))
			add(g, t, rnd(g, 3) ? TOY_RELEASE_FENCE : TOY_FENCE, 0, 0, 0, 0);
	}
}

void weak_random(struct toy_program *p, uint64_t seed, uint64_t i)
{
	static const unsigned most[] = {0, 0, 5, 4, 3};
	static const unsigned stores[] = {2, 8, 8, 14}, vars[] = {1, 2, 2, 2, 3, 4}, fences[] = {0, 0, 0, 3, 8};
	static const int bases[] = {0, 0, 13, 94}; /* a cell ends behind variable 13, a page behind 95 */
	struct gen g = {.p = p, .state = seed * UINT64_C(0x2545f4914f6cdd1d) + i};
	memset(p, 0, sizeof *p);
	p->name = "random";
	g.bytes = i % 3 == 0;
	g.base = bases[rnd(&g, 4)];
	g.vars = g.bytes ? 2 : vars[rnd(&g, sizeof vars / sizeof *vars)];
	g.fences = fences[rnd(&g, sizeof fences / sizeof *fences)];
	g.rmws = rnd(&g, 2) ? rnd(&g, 6) : 0;
	g.locks = rnd(&g, 4) ? 0 : 4;
	unsigned n = 2 + rnd(&g, 3);
	if (rnd(&g, 8) == 0)
		add_store(&g, 0);
	for (unsigned t = 1; t <= n; t++) {
		g.stores = stores[rnd(&g, sizeof stores / sizeof *stores)]; /* some threads write more, others read more */
		if (i % 4 == 1)
			add_pair(&g, t);
		for (unsigned left = i % 4 == 1 ? rnd(&g, 2) : 1 + rnd(&g, most[n]), used; left; left -= used < left ? used : left)
			used = some(&g, t, left);
	}
	for (unsigned t = 1; t <= n; t++)
		add(&g, 0, TOY_SPAWN, (int)t, 0, 0, 0);
	if (rnd(&g, 16) == 0) /* main takes part */
		add_access(&g, 0);
	for (unsigned t = 1; t <= n; t++)
		add(&g, 0, TOY_JOIN, (int)t, 0, 0, 0);
	if (rnd(&g, 16) == 0)
		add_load(&g, 0);
}

bool weak_overlaps(const struct toy_program *p)
{
	bool rmw = false, bytes = false;
	for (unsigned t = 0; t < p->threads; t++)
		for (unsigned k = 0; k < p->len[t]; k++) {
			const struct toy_instr *i = &p->code[t][k];
			rmw |= i->op == TOY_CAS;
			bytes |= i->size != 0;
		}
	return rmw && bytes;
}
