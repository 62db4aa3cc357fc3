/*
 * The oracle: see lib_weak.h. It is a separate machine, made to be obviously right. It copies the state for every step, tries all steps in every
 * state, and visits a state once. The history so far, as a Shasha-Snir trace, contains which instructions were executed, what they read and what
 * has reached memory. So it identifies the state.
 *
 * Some steps run first, alone, as soon as they are enabled: creation, join and end of a thread, a fence, a yield, and a store into a buffer. No
 * step of another thread and no drain enables, disables or changes them, or is enabled, disabled or changed by them. Their position among these
 * steps does not show in the trace.
 */
#include "tests/unit/lib_weak.h"

#include <stddef.h>
#include <string.h>

#include "base/check.h"

#define BYTES (8 * TOY_VARS)
#define BUFFERED 16
#define MUTEXES 8
#define THREADS 16

struct store {
	uint16_t at, size;
	uint8_t no;    /* index of the write in its thread, from 1 */
	uint8_t epoch; /* number of release fences before it */
	bool release, whole;
	int64_t number; /* the stored value: the whole variable, or the value of each byte */
};

struct thread {
	uint8_t pc, accesses, writes, epoch, n;
	bool started, ended;
	int64_t reg[TOY_REGS];
	struct store buffer[BUFFERED]; /* n stores, oldest first */
};

struct byte {
	uint8_t value;
	uint8_t writer, no; /* the last write: its thread, and its index in that thread; 0, 0: none */
	uint8_t writes;     /* number of writes that reached it */
};

struct state {
	struct toy_hash trace;
	struct {
		uint8_t owner, uses; /* thread + 1 */
	} mutex[MUTEXES];
	struct thread thread[THREADS];
	struct byte byte[BYTES];
};

struct oracle {
	const struct toy_program *p;
	struct weak_search *s;
	struct toy_set *out, seen;
	unsigned lowest, beyond; /* bytes that the program may access */
};

/* ---- instructions ---- */

static const struct toy_instr end = {.op = TOY_END};

static const struct toy_instr *next(const struct oracle *o, const struct state *s, unsigned t)
{
	return s->thread[t].pc < o->p->len[t] ? &o->p->code[t][s->thread[t].pc] : &end;
}

static int64_t *reg(struct thread *x, int r)
{
	INVARIANT(r >= 0 && r < TOY_REGS, "register");
	return &x->reg[r];
}

static unsigned size_of(const struct toy_instr *i)
{
	return i->size ? i->size : 8;
}

/* The register that is added to the address, counted from 1; 0: none. */
static int index_of(const struct toy_instr *i)
{
	return i->op == TOY_LOAD ? i->c : i->op == TOY_CAS ? i->e : 0;
}

/* The first byte of an access. */
static unsigned where(const struct thread *x, const struct toy_instr *i)
{
	int n = i->op == TOY_LOAD ? i->b : i->a, y = index_of(i);
	int64_t at = (n + (y ? x->reg[y - 1] : 0)) * (i->size ? 1 : 8);
	INVARIANT(at >= 0 && at + size_of(i) <= BYTES, "access out of memory");
	return (unsigned)at;
}

static uint8_t byte_of(const struct store *w, unsigned k)
{
	return (uint8_t)(w->whole ? (uint64_t)w->number >> 8 * k : (uint64_t)w->number);
}

static struct store to_store(struct thread *x, const struct toy_instr *i, int64_t number)
{
	unsigned size = size_of(i);
	x->writes++;
	return (struct store){(uint16_t)where(x, i), (uint16_t)size, x->writes, x->epoch, i->order == TOY_RELEASE, !i->size, number};
}

/* ---- memory and buffers ---- */

static void to_memory(struct state *s, unsigned t, const struct store *w)
{
	for (unsigned k = 0; k < w->size; k++) {
		struct byte *b = &s->byte[w->at + k];
		*b = (struct byte){byte_of(w, k), (uint8_t)t, w->no, (uint8_t)(b->writes + 1)};
		weak_wrote(&s->trace, w->at + k, b->writes, t, w->no);
	}
}

/* The byte that t reads. */
static uint8_t look(struct state *s, unsigned t, unsigned at)
{
	const struct thread *x = &s->thread[t];
	for (unsigned k = x->n; k--;) {
		const struct store *w = &x->buffer[k];
		if (at >= w->at && at < w->at + w->size) {
			weak_read(&s->trace, t, x->accesses, at, t, w->no);
			return byte_of(w, at - w->at);
		}
	}
	weak_read(&s->trace, t, x->accesses, at, s->byte[at].writer, s->byte[at].no);
	return s->byte[at].value;
}

static bool overlap(const struct store *a, const struct store *b)
{
	return a->at < b->at + b->size && b->at < a->at + a->size;
}

/* Returns whether store k may leave the buffer before older stores. */
static bool may_drain(unsigned model, const struct thread *x, unsigned k)
{
	const struct store *w = &x->buffer[k];
	if (k > 0 && (model == MODEL_TSO || w->release))
		return false;
	for (unsigned j = 0; j < k; j++)
		if (overlap(&x->buffer[j], w) || x->buffer[j].epoch != w->epoch)
			return false;
	return true;
}

static void drain(struct state *s, unsigned t, unsigned k)
{
	struct thread *x = &s->thread[t];
	to_memory(s, t, &x->buffer[k]);
	x->n--;
	memmove(&x->buffer[k], &x->buffer[k + 1], (x->n - k) * sizeof *x->buffer);
}

/* ---- steps ---- */

/* Runs the instructions that only the thread itself can observe. */
static void local(const struct oracle *o, struct state *s, unsigned t)
{
	struct thread *x = &s->thread[t];
	for (unsigned steps = 0;; x->pc++, steps++) {
		const struct toy_instr *i = next(o, s, t);
		INVARIANT(steps < 1000, "an endless loop");
		switch (i->op) {
		case TOY_SET:
			*reg(x, i->a) = i->b;
			break;
		case TOY_ADDMOD:
			*reg(x, i->a) = (*reg(x, i->a) + i->b) % i->c;
			break;
		case TOY_SUM:
			*reg(x, i->a) += *reg(x, i->b);
			break;
		case TOY_SKIP_EQ:
			x->pc = (uint8_t)(x->pc + (*reg(x, i->a) == i->b ? i->c : 0));
			break;
		case TOY_SKIP_NE:
			x->pc = (uint8_t)(x->pc + (*reg(x, i->a) != i->b ? i->c : 0));
			break;
		case TOY_JUMP:
			x->pc = (uint8_t)(i->a - 1);
			break;
		case TOY_RELEASE_FENCE:
			x->epoch++;
			break;
		default:
			return;
		}
	}
}

static bool into_buffer(const struct oracle *o, const struct toy_instr *i)
{
	return i->op == TOY_STORE && i->order != TOY_DRAINS && o->s->model != MODEL_SC;
}

static bool enabled(const struct oracle *o, const struct state *s, unsigned t)
{
	const struct thread *x = &s->thread[t];
	const struct toy_instr *i = next(o, s, t);
	if (!x->started || x->ended)
		return false;
	if (i->op == TOY_LOAD || into_buffer(o, i))
		return true;
	if (x->n)
		return false;
	if (i->op == TOY_LOCK)
		return !s->mutex[i->a].owner;
	return i->op != TOY_JOIN || s->thread[i->a].ended;
}

static bool goes_first(const struct oracle *o, const struct toy_instr *i)
{
	return !o->s->plain && (i->op == TOY_SPAWN || i->op == TOY_JOIN || i->op == TOY_END || i->op == TOY_FENCE ||
				i->op == TOY_YIELD || into_buffer(o, i));
}

static int64_t load(struct state *s, unsigned t, const struct toy_instr *i, bool *equal, int64_t expected)
{
	unsigned size = size_of(i), at = where(&s->thread[t], i);
	uint64_t number = 0;
	struct store like = {.whole = !i->size, .number = expected};
	*equal = true;
	for (unsigned k = 0; k < size; k++) {
		uint8_t b = look(s, t, at + k);
		number += i->size ? b : (uint64_t)b << 8 * k;
		*equal &= b == byte_of(&like, k);
	}
	return (int64_t)number;
}

/* A byte access increments each byte; another access increments the variable as a whole. */
static void add(struct state *s, unsigned t, const struct toy_instr *i, int64_t found)
{
	struct thread *x = &s->thread[t];
	struct store w = to_store(x, i, found + i->b);
	if (w.whole) {
		to_memory(s, t, &w);
		return;
	}
	for (unsigned k = 0; k < w.size; k++) {
		struct store one = w;
		one.at = (uint16_t)(w.at + k);
		one.size = 1;
		one.number = s->byte[one.at].value + i->b;
		to_memory(s, t, &one);
	}
}

static void access_memory(struct oracle *o, struct state *s, unsigned t, const struct toy_instr *i)
{
	struct thread *x = &s->thread[t];
	struct store w;
	bool equal = false, wrote = i->op != TOY_LOAD;
	int64_t found = 0;
	x->accesses++;
	if (i->op != TOY_STORE)
		found = load(s, t, i, &equal, i->b);
	if (i->op == TOY_CAS)
		wrote = equal;
	weak_did(&s->trace, t, x->accesses, i->op == TOY_LOAD ? WEAK_LOAD : i->op == TOY_STORE ? WEAK_STORE : WEAK_RMW,
		where(x, i), size_of(i), wrote);
	switch (i->op) {
	case TOY_LOAD:
		*reg(x, i->a) = found;
		break;
	case TOY_STORE:
		w = to_store(x, i, i->b + (i->c ? *reg(x, i->c - 1) : 0));
		if (into_buffer(o, i)) {
			INVARIANT(x->n < BUFFERED, "a buffer is full");
			x->buffer[x->n++] = w;
		} else {
			to_memory(s, t, &w);
		}
		break;
	case TOY_ADD:
		add(s, t, i, found);
		if (i->c)
			*reg(x, i->c - 1) = found;
		break;
	case TOY_XCHG:
		w = to_store(x, i, i->b);
		to_memory(s, t, &w);
		*reg(x, i->c) = found;
		break;
	default: /* TOY_CAS */
		if (equal) {
			w = to_store(x, i, i->c);
			to_memory(s, t, &w);
		}
		*reg(x, i->d) = equal;
	}
}

static void access_mutex(struct state *s, unsigned t, const struct toy_instr *i)
{
	struct thread *x = &s->thread[t];
	bool locks = i->op == TOY_LOCK;
	INVARIANT(i->a >= 0 && i->a < MUTEXES && s->mutex[i->a].owner == (locks ? 0 : t + 1), "wrong use of a mutex");
	s->mutex[i->a].owner = locks ? (uint8_t)(t + 1) : 0;
	x->accesses++;
	weak_did(&s->trace, t, x->accesses, locks ? WEAK_LOCK : WEAK_UNLOCK, (unsigned)i->a, 0, true);
	weak_locked(&s->trace, (unsigned)i->a, ++s->mutex[i->a].uses, t, x->accesses);
}

static void step(struct oracle *o, struct state *s, unsigned t)
{
	struct thread *x = &s->thread[t];
	const struct toy_instr *i = next(o, s, t);
	switch (i->op) {
	case TOY_LOAD:
	case TOY_STORE:
	case TOY_ADD:
	case TOY_XCHG:
	case TOY_CAS:
		access_memory(o, s, t, i);
		break;
	case TOY_LOCK:
	case TOY_UNLOCK:
		access_mutex(s, t, i);
		break;
	case TOY_SPAWN:
		s->thread[i->a].started = true;
		local(o, s, (unsigned)i->a);
		break;
	case TOY_END:
		x->ended = true;
		return;
	case TOY_JOIN:
	case TOY_FENCE:
	case TOY_YIELD:
		break;
	default:
		INVARIANT(false, "the oracle knows no instruction %u", i->op);
	}
	x->pc++;
	local(o, s, t);
}

/* ---- search ---- */

static void settle(struct oracle *o, struct state *s)
{
	for (unsigned t = 0; t < o->p->threads; t++)
		if (enabled(o, s, t) && goes_first(o, next(o, s, t))) {
			step(o, s, t);
			t = ~0u; /* start again */
		}
}

/* Returns whether this state is new, and remembers it. */
static bool first_time(struct oracle *o, const struct state *s)
{
	struct toy_hash key = s->trace;
	for (unsigned t = 0; o->s->plain && t < o->p->threads; t++) /* parts of the state that the trace does not contain */
		weak_other(&key, t + 1, (uint64_t)s->thread[t].pc << 2 | s->thread[t].started << 1 | s->thread[t].ended);
	if (!toy_set_add(&o->seen, key))
		return false;
	o->s->states++;
	if (o->s->most && o->s->states > o->s->most)
		o->s->complete = false;
	return true;
}

static void copy(const struct oracle *o, struct state *to, const struct state *from)
{
	memcpy(to, from, offsetof(struct state, thread) + o->p->threads * sizeof *from->thread);
	memcpy(to->byte + o->lowest, from->byte + o->lowest, (o->beyond - o->lowest) * sizeof *from->byte);
}

static void visit(struct oracle *o, const struct state *s)
{
	struct state after;
	bool over = true;
	if (!first_time(o, s))
		return;
	for (unsigned t = 0; t < o->p->threads && o->s->complete; t++) {
		if (enabled(o, s, t)) {
			copy(o, &after, s);
			step(o, &after, t);
			settle(o, &after);
			visit(o, &after);
			over = false;
		}
		for (unsigned k = 0; k < s->thread[t].n && o->s->complete; k++)
			if (may_drain(o->s->model, &s->thread[t], k)) {
				copy(o, &after, s);
				drain(&after, t, k);
				settle(o, &after);
				visit(o, &after);
				over = false;
			}
	}
	if (over && o->s->complete)
		toy_set_add(o->out, s->trace);
}

static bool is_access(const struct toy_instr *i)
{
	return i->op == TOY_LOAD || i->op == TOY_STORE || i->op == TOY_ADD || i->op == TOY_XCHG || i->op == TOY_CAS;
}

static void find_bytes(struct oracle *o)
{
	static const struct thread none;
	o->lowest = BYTES;
	o->beyond = 0;
	for (unsigned t = 0; t < o->p->threads; t++)
		for (unsigned k = 0; k < o->p->len[t]; k++) {
			const struct toy_instr *i = &o->p->code[t][k];
			if (!is_access(i))
				continue;
			unsigned at = index_of(i) ? 0 : where(&none, i), last = index_of(i) ? BYTES : at + size_of(i);
			o->lowest = at < o->lowest ? at : o->lowest;
			o->beyond = last > o->beyond ? last : o->beyond;
		}
	if (o->lowest > o->beyond)
		o->lowest = o->beyond;
}

void weak_traces(const struct toy_program *p, struct weak_search *s, struct toy_set *out)
{
	static struct state start;
	struct oracle o = {.p = p, .s = s, .out = out};
	memset(&start, 0, sizeof start);
	INVARIANT(p->threads <= THREADS, "too many threads");
	s->states = 0;
	s->complete = true;
	find_bytes(&o);
	start.thread[0].started = true;
	local(&o, &start, 0);
	settle(&o, &start);
	visit(&o, &start);
	toy_set_clear(&o.seen);
}
