/* Executes the programs of lib_rc11.h with explore/graph/graph.h. */
#include "tests/unit/lib_rc11.h"

#include <stdlib.h>
#include <string.h>

/* Each thread has a start and an end. */
#define MOST_EVENTS (RC_THREADS * (RC_LENGTH + 2))

struct thread {
	unsigned line;
	bool created, started, ended;
	uint64_t reg[RC_REGS];
};

struct run {
	const struct rc_program *p;
	struct graph *g;
	struct thread t[RC_THREADS];
	bool locked[RC_PLACES];
	struct rc_keys *out;
	bool without_blocked;
	uint8_t name[MOST_EVENTS]; /* of each event; 0: a start or an end */
};

static uint64_t value(const struct thread *t, struct rc_value v)
{
	return (v.reg < 0 ? 0 : t->reg[v.reg]) + (uint64_t)(int64_t)v.constant;
}

/* Whether some thread creates this one. */
static bool is_created(const struct rc_program *p, unsigned t, unsigned *creator)
{
	for (*creator = 0; *creator < p->threads; ++*creator)
		for (unsigned i = 0; i < p->length[*creator]; i++)
			if (p->line[*creator][i].what == RC_CREATE && p->line[*creator][i].other == (int)t)
				return true;
	return false;
}

static void skip(struct run *r, unsigned t)
{
	struct thread *th = &r->t[t];
	for (; th->line < r->p->length[t]; th->line++) {
		const struct rc_line *l = &r->p->line[t][th->line];
		if (l->cond < 0 || th->reg[l->cond] == (uint64_t)l->cond_value)
			return;
	}
}

static bool can_run(struct run *r, unsigned t)
{
	skip(r, t);
	if (!r->t[t].created)
		return false;
	if (!r->t[t].started)
		return true;
	if (r->t[t].line == r->p->length[t])
		return !r->t[t].ended;
	const struct rc_line *l = &r->p->line[t][r->t[t].line];
	if (l->what == RC_LOCK)
		return !r->locked[l->place];
	if (l->what != RC_JOIN)
		return true;
	return r->t[l->other].ended;
}

static struct rc11_op op_of(struct run *r, unsigned t)
{
	static const enum rc11_kind kinds[] = {[RC_LOAD] = RC11_LOAD, [RC_STORE] = RC11_STORE, [RC_UPDATE] = RC11_UPDATE, [RC_CAS] = RC11_CAS,
		[RC_FENCE] = RC11_FENCE, [RC_LOCK] = RC11_LOCK, [RC_UNLOCK] = RC11_UNLOCK, [RC_CREATE] = RC11_CREATE, [RC_JOIN] = RC11_JOIN};
	struct thread *th = &r->t[t];
	unsigned creator;
	if (!th->started) {
		is_created(r->p, t, &creator);
		return (struct rc11_op){.kind = RC11_START, .thread = (uint16_t)t, .other = creator};
	}
	if (th->line == r->p->length[t])
		return (struct rc11_op){.kind = RC11_END, .thread = (uint16_t)t};
	const struct rc_line *l = &r->p->line[t][th->line];
	struct rc11_op op = {.kind = (uint8_t)kinds[l->what], .order = (uint8_t)l->order, .fail = (uint8_t)l->fail, .update = (uint8_t)l->update, .size = 4,
		.thread = (uint16_t)t, .other = (uint32_t)l->other, .place = l->place < 0 ? 0 : (uint32_t)l->place};
	op.operand = value(th, l->value);
	op.expected = value(th, l->expected);
	return op;
}

static bool perform(struct run *r, unsigned t)
{
	struct thread *th = &r->t[t];
	struct rc11_op op = op_of(r, t);
	const struct rc11_event *e = graph_step(r->g, &op);
	if (!e)
		return false;
	uint8_t *name = &r->name[r->g->at - 1];
	if (op.kind == RC11_START || op.kind == RC11_END) {
		th->started = true;
		th->ended = op.kind == RC11_END;
		*name = 0;
		return true;
	}
	const struct rc_line *l = &r->p->line[t][th->line];
	*name = RC_NAME(t, th->line);
	if (l->what == RC_LOCK || l->what == RC_UNLOCK)
		r->locked[l->place] = l->what == RC_LOCK;
	else if (e->reads)
		th->reg[l->reg] = e->found;
	if (op.kind == RC11_CREATE)
		r->t[l->other].created = true;
	th->line++;
	if (r->g->raced) {
		uint8_t a = *name, b = r->name[r->g->raced - 1];
		r->out->race[a][b] = r->out->race[b][a] = true;
	}
	return true;
}

static void note(struct run *r, struct rc_keys *out)
{
	struct rc_key key = {0};
	const struct rc11 *m = graph_model(r->g);
	for (uint32_t i = 0; i < m->n; i++) {
		const struct rc11_event *e = rc11_event(m, i);
		unsigned t = e->op.thread, line = (unsigned)(r->name[i] - 2) % RC_LENGTH;
		if (!r->name[i])
			continue;
		key.reads[t][line] = !e->reads ? RC_DONE : e->reads_from ? r->name[e->reads_from - 1] : RC_FIRST;
		key.found[t][line] = (uint32_t)e->found;
	}
	for (uint32_t p = 0; p < m->places; p++) {
		unsigned n = 0;
		for (uint32_t w = rc11_place_at(m, p)->oldest; w; w = rc11_event(m, w - 1)->newer)
			key.order[p][n++] = r->name[w - 1];
	}
	rc_add(out, &key);
}

static bool waits_for_mutex(const struct run *r, unsigned t)
{
	const struct thread *th = &r->t[t];
	return th->created && th->started && th->line < r->p->length[t] && r->p->line[t][th->line].what == RC_LOCK;
}

static void execute(struct run *r)
{
	uint8_t enabled[RC_THREADS];
	int t;
	memset(r->t, 0, sizeof r->t);
	memset(r->locked, 0, sizeof r->locked);
	for (unsigned k = 0; k < r->p->threads; k++) {
		unsigned creator;
		r->t[k].started = r->t[k].created = !is_created(r->p, k, &creator);
	}
	do {
		for (unsigned k = 0; k < r->p->threads; k++)
			enabled[k] = can_run(r, k);
		t = graph_thread(r->g, enabled, r->p->threads);
	} while (t >= 0 && perform(r, (unsigned)t));
	for (unsigned k = 0; k < r->p->threads && !r->without_blocked; k++)
		if (waits_for_mutex(r, k)) {
			struct rc11_op op = op_of(r, k);
			graph_blocked(r->g, &op);
		}
}

/* ---- dividing ---- */

#define MOST_PARTS 64
#define DIVIDES (RC_DIVIDED | RC_DIVIDED_TWICE | RC_DIVIDED_LOST)

/* Parts of the search that wait. */
struct parts {
	void *part[MOST_PARTS];
	unsigned n;
	uint32_t draw;
};

/* Packs what is left. */
static void *packed(struct graph *g)
{
	void *p = malloc(graph_packed_bytes(g));
	graph_pack(g, p);
	return p;
}

/* Divides what is left, now and then. */
static void divide(struct graph *g, struct parts *parts, uint32_t how)
{
	parts->draw = parts->draw * 1103515245 + 12345;
	if (!(how & DIVIDES) || parts->draw >> 30 || parts->n == MOST_PARTS ||
		g->failed || g->stats.finished)
		return;
	void *rest = packed(g), *all = packed(g);
	if (graph_split(g, rest) && !(how & RC_DIVIDED_LOST))
		parts->part[parts->n++] = packed(g);
	graph_unpack(g, how & RC_DIVIDED_TWICE ? all : rest);
	free(rest);
	free(all);
}

/* Returns whether the next execution begins as the search says: as this one, whose events `ran` has. */
static bool begins_alike(struct graph *g, const struct graph_event *ran)
{
	for (uint32_t i = 0; i < g->same; i++) {
		struct graph_event e = graph_event_at(g, i);
		if (i >= graph_model(g)->n || memcmp(&e.op, &ran[i].op, sizeof e.op) != 0 || e.store != ran[i].store)
			return false;
	}
	return true;
}

/* Takes a part that waits. */
static bool take(struct graph *g, struct parts *parts)
{
	if (!parts->n || g->failed)
		return false;
	unsigned i = parts->draw % parts->n--;
	void *p = parts->part[i];
	parts->part[i] = parts->part[parts->n];
	graph_unpack(g, p);
	free(p);
	return true;
}

bool rc_search(const struct rc_program *p, uint32_t shuffle, uint32_t without, struct rc_keys *out, struct graph_stats *stats)
{
	struct parts parts = {.draw = shuffle};
	struct graph_event ran[MOST_EVENTS];
	bool alike = true;
	struct graph_config config = {.limits = {.threads = RC_THREADS, .events = MOST_EVENTS, .places = RC_PLACES}, .shuffle = shuffle};
	struct run r = {.p = p,
		.g = calloc(1, graph_bytes(&config)),
		.out = out,
		.without_blocked = without & RC_WITHOUT_BLOCKED};
	graph_init(r.g, &config);
	graph_model(r.g)->without = without & ~(RC_WITHOUT_BLOCKED | DIVIDES);
	for (unsigned k = 0; k < p->places; k++)
		rc11_place(graph_model(r.g), 0);
	do {
		while (graph_begin(r.g)) {
			execute(&r);
			if (!r.g->failed && !r.g->raced)
				note(&r, out);
			for (uint32_t i = 0; i < r.g->at; i++)
				ran[i] = graph_event_at(r.g, i);
			graph_end(r.g);
			alike &= begins_alike(r.g, ran);
			divide(r.g, &parts, without);
		}
	} while (take(r.g, &parts));
	*stats = r.g->stats;
	free(r.g);
	return alike && stats->finished && !stats->diverged && !stats->out_of_memory && !stats->cut;
}

/* ---- sets of graphs ---- */

size_t rc_racy(const struct rc_keys *k)
{
	size_t n = 0;
	for (size_t i = 0; i < k->n; i++)
		n += k->key[i].races;
	return n;
}

void rc_forget_races(struct rc_keys *k)
{
	for (size_t i = 0; i < k->n; i++)
		k->key[i].races = 0;
	rc_sort(k);
}

void rc_add(struct rc_keys *k, const struct rc_key *key)
{
	if (k->n == k->cap) {
		k->cap = k->cap ? 2 * k->cap : 64;
		k->key = realloc(k->key, k->cap * sizeof *k->key);
	}
	k->key[k->n++] = *key;
}

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct rc_key));
}

void rc_sort(struct rc_keys *k)
{
	if (k->n)
		qsort(k->key, k->n, sizeof *k->key, compare);
}

void rc_free(struct rc_keys *k)
{
	free(k->key);
	*k = (struct rc_keys){0};
}

size_t rc_repeated(const struct rc_keys *k)
{
	size_t n = 0;
	for (size_t i = 1; i < k->n; i++)
		n += !compare(&k->key[i - 1], &k->key[i]);
	return n;
}

size_t rc_missing(const struct rc_keys *a, const struct rc_keys *b)
{
	size_t n = 0;
	for (size_t i = 0; i < a->n; i++)
		n += !b->n || !bsearch(&a->key[i], b->key, b->n, sizeof *b->key, compare);
	return n;
}
