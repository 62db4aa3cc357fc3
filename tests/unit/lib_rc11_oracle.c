/*
 * The oracle of the tests of RC11: every candidate of events, reads-from and modification order, and the axioms of the paper as it writes them
 * (Lahav et al., PLDI 2017, with release sequences of C++20). A read-modify-write is two events here. It shares nothing with sched/ but the names
 * of orders and updates.
 */
#include "tests/unit/lib_rc11.h"

#include <assert.h>
#include <string.h>

#define MOST 64
#define VALUES 24

enum what { READ, WRITE, FENCE, OTHER };

struct ev {
	enum what what;
	int thread, index; /* thread -1: initial value */
	int place;         /* -1: none */
	uint32_t value;
	enum rc11_order order;
	bool plain; /* no atomic access; so is the initial value */
	int partner;       /* WRITE of a read-modify-write: its READ; -1: none */
	uint8_t name;
	int creates, joins; /* -1: none */
};

struct domain {
	uint32_t v[VALUES];
	unsigned n;
};

typedef uint64_t rel[MOST]; /* bit j of row i: i before j */

struct oracle {
	const struct rc_program *p;
	struct domain domain[RC_PLACES], next[RC_PLACES];
	bool learning, too_many;
	uint64_t budget;
	struct ev e[MOST];
	int n, reads_from[MOST];
	uint32_t reg[RC_THREADS][RC_REGS + 1];
	struct rc_key key;
	int stops[RC_THREADS]; /* the line, a LOCK or JOIN, at which a thread waits at the end; -1: it ends */
	bool created[RC_THREADS];
	int store[RC_PLACES][MOST], stores[RC_PLACES]; /* modification order; the initial value first */
	struct rc_keys *out;
};

static uint32_t eval(const struct oracle *o, int t, struct rc_value v)
{
	return (v.reg < 0 ? 0 : o->reg[t][v.reg]) + (uint32_t)v.constant;
}

static void learn(struct oracle *o, int place, uint32_t value)
{
	struct domain *d = &o->next[place];
	for (unsigned i = 0; i < d->n; i++)
		if (d->v[i] == value)
			return;
	if (d->n == VALUES)
		o->too_many = true;
	else
		d->v[d->n++] = value;
}

/* ---- axioms ---- */

static void closure(const struct oracle *o, rel r)
{
	for (int k = 0; k < o->n; k++)
		for (int i = 0; i < o->n; i++)
			if (r[i] >> k & 1)
				r[i] |= r[k];
}

static bool cyclic(const struct oracle *o, const rel r)
{
	for (unsigned i = 0; i < (unsigned)o->n && i < MOST; i++) /* at most MOST; else gcc warns with sanitizers */
		if (r[i] >> i & 1)
			return true;
	return false;
}

/* out = a ; b */
static void compose(const struct oracle *o, const rel a, const rel b, rel out)
{
	rel x = {0};
	for (int i = 0; i < o->n; i++)
		for (int j = 0; j < o->n; j++)
			if (a[i] >> j & 1)
				x[i] |= b[j];
	memcpy(out, x, sizeof x);
}

static void join_with(rel a, const rel b)
{
	for (int i = 0; i < MOST; i++)
		a[i] |= b[i];
}

static void reflexive(const struct oracle *o, const rel a, rel out)
{
	for (int i = 0; i < o->n; i++)
		out[i] = a[i] | 1ull << i;
}

static bool acq(enum rc11_order k) { return k == RC11_CONSUME || k == RC11_ACQUIRE || k == RC11_ACQ_REL || k == RC11_SEQ_CST; }
static bool releasing(enum rc11_order k) { return k == RC11_RELEASE || k == RC11_ACQ_REL || k == RC11_SEQ_CST; }

struct relations {
	rel sb, asw, rf, mo, rb, rmw, hb, eco;
};

static void basic(const struct oracle *o, struct relations *x)
{
	memset(x, 0, sizeof *x);
	for (int i = 0; i < o->n; i++) {
		const struct ev *a = &o->e[i];
		for (int j = 0; j < o->n; j++) {
			const struct ev *b = &o->e[j];
			if ((a->thread < 0 && b->thread >= 0) || (a->thread >= 0 && a->thread == b->thread && a->index < b->index))
				x->sb[i] |= 1ull << j;
			if ((a->creates >= 0 && a->creates == b->thread) || (b->joins >= 0 && b->joins == a->thread))
				x->asw[i] |= 1ull << j;
		}
		if (a->partner >= 0)
			x->rmw[a->partner] |= 1ull << i;
	}
	for (unsigned p = 0; p < o->p->places; p++)
		for (int i = 0; i < o->stores[p]; i++)
			for (int j = i + 1; j < o->stores[p]; j++)
				x->mo[o->store[p][i]] |= 1ull << o->store[p][j];
	for (int i = 0; i < o->n; i++)
		if (o->e[i].what == READ) {
			x->rf[o->reads_from[i]] |= 1ull << i;
			x->rb[i] |= x->mo[o->reads_from[i]];
		}
}

static void happens_before(const struct oracle *o, struct relations *x)
{
	rel chain, head = {0}, tail = {0}, sw;
	compose(o, x->rf, x->rmw, chain);
	closure(o, chain);
	reflexive(o, chain, chain); /* (rf ; rmw)* */
	for (int i = 0; i < o->n; i++) {
		const struct ev *a = &o->e[i];
		if (a->what == WRITE && !a->plain && releasing(a->order))
			head[i] |= 1ull << i;
		if (a->what == READ && !a->plain && acq(a->order))
			tail[i] |= 1ull << i;
		for (int j = 0; j < o->n; j++) {
			if (!(x->sb[i] >> j & 1))
				continue;
			const struct ev *b = &o->e[j];
			if (a->what == FENCE && releasing(a->order) && b->what == WRITE && !b->plain)
				head[i] |= 1ull << j;
			if (a->what == READ && !a->plain && b->what == FENCE && acq(b->order))
				tail[i] |= 1ull << j;
		}
	}
	for (int i = 0; i < o->n; i++)
		if (o->e[i].plain)
			chain[i] = 0;
	compose(o, head, chain, sw);
	compose(o, sw, x->rf, sw);
	compose(o, sw, tail, sw);
	memcpy(x->hb, x->sb, sizeof sw);
	join_with(x->hb, x->asw);
	join_with(x->hb, sw);
	closure(o, x->hb);
}

static bool psc_cyclic(const struct oracle *o, const struct relations *x)
{
	rel sc = {0}, from, to, scb, apart = {0}, psc, maybe, fenced, f = {0};
	for (int i = 0; i < o->n; i++) {
		const struct ev *a = &o->e[i];
		if (a->thread >= 0 && a->order == RC11_SEQ_CST && a->what != OTHER)
			sc[i] |= 1ull << i;
		if (a->what == FENCE && a->order == RC11_SEQ_CST)
			f[i] |= 1ull << i;
	}
	memcpy(scb, x->sb, sizeof scb);
	for (int i = 0; i < o->n; i++)
		for (int j = 0; j < o->n; j++) {
			bool same = o->e[i].place >= 0 && o->e[i].place == o->e[j].place;
			if (x->sb[i] >> j & 1 && !same)
				apart[i] |= 1ull << j;
			if (x->hb[i] >> j & 1 && same)
				scb[i] |= 1ull << j;
		}
	compose(o, apart, x->hb, maybe);
	compose(o, maybe, apart, maybe);
	join_with(scb, maybe);
	join_with(scb, x->mo);
	join_with(scb, x->rb);
	compose(o, f, x->hb, from);
	join_with(from, sc);
	compose(o, x->hb, f, to);
	join_with(to, sc);
	compose(o, from, scb, psc);
	compose(o, psc, to, psc);
	compose(o, x->hb, x->eco, fenced);
	compose(o, fenced, x->hb, fenced);
	join_with(fenced, x->hb);
	compose(o, f, fenced, fenced);
	compose(o, fenced, f, fenced);
	join_with(psc, fenced);
	closure(o, psc);
	return cyclic(o, psc);
}

/* Returns whether the graph has a race, and notes the lines of each one: accesses of one place that hb orders in
 * neither direction. */
static bool races(const struct oracle *o, const struct relations *x)
{
	bool any = false;
	for (int i = 0; i < o->n; i++)
		for (int j = 0; j < o->n; j++) {
			const struct ev *a = &o->e[i], *b = &o->e[j];
			bool accesses = (a->what == READ || a->what == WRITE) &&
				(b->what == READ || b->what == WRITE) && a->place == b->place;
			bool ordered = i == j || x->hb[i] >> j & 1 || x->hb[j] >> i & 1;
			if (!accesses || ordered || !(a->plain || b->plain) || (a->what == READ && b->what == READ))
				continue;
			any = o->out->race[a->name][b->name] = o->out->race[b->name][a->name] = true;
		}
	return any;
}

/* Sets *racy if it returns true. */
static bool consistent(const struct oracle *o, bool *racy)
{
	struct relations x;
	rel r;
	basic(o, &x);
	memcpy(r, x.sb, sizeof r);
	join_with(r, x.rf);
	join_with(r, x.asw);
	closure(o, r);
	if (cyclic(o, r))
		return false;
	compose(o, x.rb, x.mo, r);
	for (int i = 0; i < o->n; i++)
		if (x.rmw[i] & r[i])
			return false;
	happens_before(o, &x);
	memcpy(x.eco, x.rf, sizeof r);
	join_with(x.eco, x.mo);
	join_with(x.eco, x.rb);
	closure(o, x.eco);
	reflexive(o, x.eco, r);
	compose(o, x.hb, r, r);
	if (cyclic(o, r) || psc_cyclic(o, &x))
		return false;
	*racy = races(o, &x);
	return true;
}

/* ---- candidates ---- */

/* Returns whether the threads that wait really have to, and whether those that join waited for no thread that has not ended. */
static bool waits_are_right(const struct oracle *o)
{
	for (int i = 0; i < o->n; i++)
		if (o->e[i].joins >= 0 && (!o->created[o->e[i].joins] || o->stops[o->e[i].joins] >= 0))
			return false;
	for (unsigned t = 0; t < o->p->threads; t++) {
		const struct rc_line *l = &o->p->line[t][o->stops[t] < 0 ? 0 : o->stops[t]];
		if (o->stops[t] < 0 || !o->created[t])
			continue;
		if (l->what == RC_JOIN && o->created[l->other] && o->stops[l->other] < 0)
			return false;
		if (l->what == RC_LOCK && o->e[o->store[l->place][o->stores[l->place] - 1]].value != 1)
			return false; /* the latest store is no LOCK: the mutex is free */
	}
	return true;
}

static void report(struct oracle *o)
{
	struct rc_key *k = &o->key;
	bool racy = false;
	if (o->budget-- == 0)
		o->too_many = true;
	if (o->too_many || !waits_are_right(o) || !consistent(o, &racy))
		return;
	k->races = racy;
	memset(k->order, 0, sizeof k->order);
	for (unsigned p = 0; p < o->p->places; p++)
		for (int i = 1; i < o->stores[p]; i++)
			k->order[p][i - 1] = o->e[o->store[p][i]].name;
	for (int i = 0; i < o->n; i++)
		if (o->e[i].what == READ)
			k->reads[(o->e[i].name - 2) / RC_LENGTH][(o->e[i].name - 2) % RC_LENGTH] = o->e[o->reads_from[i]].name;
	rc_add(o->out, k);
}

/* Returns false if `store`, placed directly after `before`, is of a read-modify-write that reads another store. The
   axiom of atomicity excludes that; to look here saves most candidates. */
static bool follows_its_read(const struct oracle *o, int store, int before)
{
	return o->e[store].partner < 0 || o->reads_from[o->e[store].partner] == before;
}

/* Places the stores of place p from position `at` on, in each order. */
static void orders(struct oracle *o, unsigned p, int at)
{
	if (o->too_many)
		return;
	if (p == o->p->places) {
		report(o);
		return;
	}
	if (at >= o->stores[p]) {
		orders(o, p + 1, 1);
		return;
	}
	for (int i = at; i < o->stores[p]; i++) {
		int *s = o->store[p], a = s[at];
		s[at] = s[i];
		s[i] = a;
		if (follows_its_read(o, s[at], s[at - 1]))
			orders(o, p, at + 1);
		s[i] = s[at];
		s[at] = a;
	}
}

/* Whether the READ is of a read-modify-write that writes. */
static bool is_update(const struct oracle *o, int read)
{
	return read + 1 < o->n && o->e[read + 1].partner == read;
}

/* Returns whether a read-modify-write before event i reads w: by the axiom of atomicity no second one does. */
static bool is_taken(const struct oracle *o, int i, int w)
{
	for (int r = 0; r < i; r++)
		if (o->e[r].what == READ && o->reads_from[r] == w && is_update(o, r))
			return true;
	return false;
}

/* Chooses what the reads from event i on read from. */
static void sources(struct oracle *o, int i)
{
	while (i < o->n && o->e[i].what != READ)
		i++;
	if (i == o->n) {
		orders(o, 0, 1);
		return;
	}
	for (int w = 0; w < o->n; w++)
		if (o->e[w].what == WRITE && o->e[w].place == o->e[i].place && o->e[w].value == o->e[i].value &&
			o->e[w].partner != i && !(is_update(o, i) && is_taken(o, i, w))) {
			o->reads_from[i] = w;
			sources(o, i + 1);
		}
}

static struct ev *add_event(struct oracle *o, enum what what, int t, const struct rc_line *l, uint8_t name)
{
	assert(o->n < MOST);
	struct ev *e = &o->e[o->n];
	*e = (struct ev){.what = what,
		.thread = t,
		.index = o->n,
		.place = l->place,
		.order = l->order,
		.plain = l->order == RC11_PLAIN,
		.partner = -1,
		.name = name,
		.creates = -1,
		.joins = -1};
	if (what == WRITE)
		o->store[l->place][o->stores[l->place]++] = o->n;
	o->n++;
	return e;
}

static void undo(struct oracle *o, int n)
{
	while (o->n > n)
		if (o->e[--o->n].what == WRITE)
			o->stores[o->e[o->n].place]--;
}

/* The line of a start or an end. */
static const struct rc_line nothing = {.place = -1};

static void lines(struct oracle *o, int t, unsigned line);

static void next_thread(struct oracle *o, int t);

static void whole_thread(struct oracle *o, int t)
{
	int n = o->n;
	if (!o->created[t] && !o->learning) {
		next_thread(o, t);
		return;
	}
	add_event(o, OTHER, t, &nothing, 0);
	lines(o, t, 0);
	undo(o, n);
}

/* Thread t has all its events. */
static void next_thread(struct oracle *o, int t)
{
	if ((unsigned)t + 1 < o->p->threads && !o->learning)
		whole_thread(o, t + 1);
	else if (!o->learning)
		sources(o, 0);
}

static uint32_t result(enum rc11_update u, uint32_t found, uint32_t v)
{
	const uint32_t all[] = {[RC11_EXCHANGE] = v, [RC11_ADD] = found + v, [RC11_SUB] = found - v, [RC11_AND] = found & v, [RC11_OR] = found | v,
		[RC11_XOR] = found ^ v, [RC11_NAND] = ~(found & v)};
	return all[u];
}

/* The line with a read, which finds `found`. */
static void reading(struct oracle *o, int t, unsigned line, uint32_t found)
{
	const struct rc_line *l = &o->p->line[t][line];
	int n = o->n, read = n;
	uint8_t name = RC_NAME(t, line);
	int reg = l->what == RC_LOCK ? RC_REGS : l->reg; /* the last one is not used */
	uint32_t was = o->reg[t][reg];
	bool writes = l->what == RC_UPDATE || l->what == RC_LOCK || (l->what == RC_CAS && found == eval(o, t, l->expected));
	uint32_t written = l->what == RC_UPDATE ? result(l->update, found, eval(o, t, l->value)) : eval(o, t, l->value);
	if (l->what == RC_LOCK)
		written = 1;
	struct ev *e = add_event(o, READ, t, l, name);
	e->value = found;
	if (l->what == RC_LOCK)
		e->order = RC11_ACQUIRE;
	if (l->what == RC_CAS && !writes)
		e->order = l->fail;
	if (writes) {
		e = add_event(o, WRITE, t, l, name);
		e->partner = read;
		if (l->what == RC_LOCK)
			e->order = RC11_ACQUIRE;
		e->value = written;
		learn(o, l->place, written);
	}
	o->reg[t][reg] = found;
	o->key.found[t][line] = found;
	lines(o, t, line + 1);
	o->key.found[t][line] = 0;
	o->reg[t][reg] = was;
	undo(o, n);
}

/* Goes through the program from a line on: each read finds each value that its place may hold. */
static void lines(struct oracle *o, int t, unsigned line)
{
	if (o->too_many)
		return;
	if (line == o->p->length[t]) {
		int end = o->n;
		add_event(o, OTHER, t, &nothing, 0);
		next_thread(o, t);
		undo(o, end);
		return;
	}
	const struct rc_line *l = &o->p->line[t][line];
	if (l->cond >= 0 && o->reg[t][l->cond] != (uint32_t)l->cond_value) {
		lines(o, t, line + 1);
		return;
	}
	int n = o->n;
	if (l->what == RC_LOCK || l->what == RC_JOIN) {
		o->stops[t] = (int)line;
		next_thread(o, t);
		o->stops[t] = -1;
	}
	o->key.reads[t][line] = RC_DONE;
	bool stores = l->what == RC_STORE || l->what == RC_UNLOCK;
	if (l->what == RC_LOCK) {
		reading(o, t, line, 0);
	} else if (l->what == RC_LOAD || l->what == RC_UPDATE || l->what == RC_CAS) {
		for (unsigned i = 0; i < o->domain[l->place].n; i++)
			reading(o, t, line, o->domain[l->place].v[i]);
	} else {
		struct ev *e = add_event(o, stores ? WRITE : l->what == RC_FENCE ? FENCE : OTHER, t, l, RC_NAME(t, line));
		if (l->what == RC_UNLOCK)
			e->order = RC11_RELEASE;
		if (stores) {
			e->value = l->what == RC_UNLOCK ? 0 : eval(o, t, l->value);
			learn(o, l->place, e->value);
		}
		e->creates = l->what == RC_CREATE ? l->other : -1;
		e->joins = l->what == RC_JOIN ? l->other : -1;
		if (e->creates >= 0)
			o->created[e->creates] = true;
		lines(o, t, line + 1);
		if (l->what == RC_CREATE)
			o->created[l->other] = false;
		undo(o, n);
	}
	o->key.reads[t][line] = RC_NONE;
}

/* Adds the values that stores may write, when loads find the known ones. Returns whether there are new ones. */
static bool more_values(struct oracle *o)
{
	unsigned before = 0, after = 0;
	memcpy(o->next, o->domain, sizeof o->domain);
	for (unsigned t = 0; t < o->p->threads; t++)
		whole_thread(o, (int)t);
	for (unsigned p = 0; p < o->p->places; p++) {
		before += o->domain[p].n;
		after += o->next[p].n;
	}
	memcpy(o->domain, o->next, sizeof o->domain);
	return before != after;
}

bool rc_oracle(const struct rc_program *p, uint64_t most, struct rc_keys *out)
{
	struct oracle o = {.p = p, .out = out, .learning = true, .budget = most};
	unsigned total = 0;
	for (unsigned k = 0; k < p->places; k++) {
		const struct rc_line first = {.place = (int)k};
		struct ev *e = add_event(&o, WRITE, -1, &first, RC_FIRST);
		e->plain = true;
		o.domain[k] = (struct domain){.v = {0}, .n = 1};
	}
	for (unsigned t = 0; t < p->threads; t++) {
		total += p->length[t];
		o.created[t] = true;
		o.stops[t] = -1;
	}
	for (unsigned t = 0; t < p->threads; t++)
		for (unsigned i = 0; i < p->length[t]; i++)
			if (p->line[t][i].what == RC_CREATE) {
				/* its events are chosen after those of its creator */
				assert(p->line[t][i].other > (int)t);
				o.created[p->line[t][i].other] = false;
			}
	for (unsigned i = 0; i < total && more_values(&o); i++)
		;
	o.learning = false;
	whole_thread(&o, 0);
	return !o.too_many;
}
