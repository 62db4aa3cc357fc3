/* Store buffers: see membuf.h. */
#include "sched/membuf.h"

#include <string.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/table.h"
#include "sched/live.h"
#include "sched/memory.h"

/* A store that has not reached memory. */
struct entry {
	struct entry *next; /* younger */
	struct entry *next_own; /* next entry of the same agent */
	uint64_t addr, key, pc; /* key: of its first byte (world_config.key) */
	uint32_t size;
	uint32_t number, epoch; /* index among its thread's stores; release fences before it */
	uint32_t waits;         /* number of older stores of its thread that must reach memory first */
	thread_id agent;
	uint8_t flags, span;
	bool open;              /* the store is not performed yet, so its value is unknown */
	bool more;              /* further pieces of it are announced before it is performed */
	uint32_t dropped;       /* this many bytes at its start lay in frames that no longer exist: see world_pop_stack */
	object_id obj[2];
	uint8_t bytes[];        /* what it writes; while it is shown, what memory held before */
};

struct place {
	uint64_t addr; /* 0: none; 1 in the single queue of TSO */
	thread_id agent;
	struct entry *first, *last; /* its queue */
};

struct membuf {
	struct entry *first, *last;
	uint32_t numbers, epoch; /* number of stores and of release fences so far */
	bool stored;             /* there was a store since the buffer was last known to be empty */
	bool unfenced;           /* there was a store since the last release fence */
	bool shown;
	thread_id agent;         /* agent of the pending store */
	uint32_t places, place_cap; /* PSO agents known in this execution; the capacity is a power of two, or 0 */
	struct place *place;
};

static struct entry *first_of(const struct wthread *t)
{
	return t->buffer ? t->buffer->first : NULL;
}

static uint8_t *under(struct entry *e)
{
	return e->bytes + e->size;
}

/* The address of its first byte that still counts. */
static uint64_t kept_from(const struct entry *e)
{
	return e->addr + e->dropped;
}

static uint32_t kept(const struct entry *e)
{
	return e->size - e->dropped;
}

static uint8_t *memory_at(const struct world *w, uint64_t addr, uint32_t size)
{
	return w->config.memory(w->config.ready_ctx, addr, size);
}

static uint64_t key_of(const struct world *w, uint64_t addr)
{
	return w->config.key ? w->config.key(w->config.ready_ctx, addr) : addr;
}

static bool overlap(uint64_t a, uint32_t n, uint64_t b, uint32_t m)
{
	return a < b + m && b < a + n;
}

/* ---- what a thread sees ---- */

static bool has(const struct wthread *t, uint64_t key, uint32_t size)
{
	for (const struct entry *e = first_of(t); e; e = e->next)
		if (overlap(e->key, e->size, key, size))
			return true;
	return false;
}

bool membuf_has(const struct world *w, const struct wthread *t, uint64_t addr, uint32_t size)
{
	return first_of(t) && has(t, key_of(w, addr), size);
}

#define SEEN 256 /* bytes that are combined on the stack; the value of a larger load is unknown when some of it is buffered */

uint32_t membuf_value(const struct world *w, const struct wthread *t, uint64_t addr, uint32_t size)
{
	uint8_t seen[SEEN];
	if (!w->config.memory)
		return 0;
	uint64_t key = first_of(t) ? key_of(w, addr) : 0;
	if (!has(t, key, size))
		return memory_fingerprint(memory_at(w, addr, size), size);
	if (size > SEEN)
		return 0;
	memcpy(seen, memory_at(w, addr, size), size);
	for (const struct entry *e = first_of(t); e; e = e->next) {
		uint64_t from = e->key + e->dropped, lo = from > key ? from : key, hi = e->key + e->size;
		hi = hi < key + size ? hi : key + size;
		if (lo < hi)
			memcpy(seen + (lo - key), e->bytes + (lo - e->key), hi - lo);
	}
	return memory_fingerprint(seen, size);
}

bool membuf_empty(const struct wthread *t)
{
	return !first_of(t);
}

/* Returns whether the buffer cannot take another store: stores must stay so close that their numbers are unambiguous (update_result). */
static bool full(const struct membuf *b)
{
	return b && b->first && (b->numbers - b->first->number >= UPDATE_NUMBERS / 2 - 1 ||
				 b->epoch - b->first->epoch >= UPDATE_EPOCHS / 2 - 1);
}

/* Returns whether the operation waits for the buffers of all threads: the end of the process, or a fence for all threads. */
static bool waits_for_all(const struct op *op)
{
	return op->kind == EV_EXIT || (event_kind_flags(op->kind) & K_DRAINS_ALL) || (op->kind == EV_FENCE && op->arg[0]);
}

bool membuf_lets(const struct world *w, const struct wthread *t, const struct decision *d)
{
	struct event e = { .kind = d->kind, .mode = { d->mode[0], d->mode[1] } };
	if (waits_for_all(&t->op))
		return w->buffered == 0;
	if (d->mode[0] == M_BUFFER)
		return !full(t->buffer);
	return !event_drains(&e) || membuf_empty(t);
}

/* ---- agents ---- */

static struct place *place_of(const struct membuf *b, uint64_t addr)
{
	return &b->place[TABLE_SLOT(i, hash_spread(addr) >> 32, b->place_cap,
		!b->place[i].addr || b->place[i].addr == addr)];
}

static void grow_places(struct world *w, struct membuf *b)
{
	struct membuf old = *b;
	b->place_cap = old.place_cap ? old.place_cap * 2 : 8;
	b->place = world_alloc(w, b->place_cap * sizeof *b->place);
	for (uint32_t i = 0; i < old.place_cap; i++)
		if (old.place[i].addr)
			*place_of(b, old.place[i].addr) = old.place[i];
	world_free(w, old.place, old.place_cap * sizeof *old.place);
}

static thread_id intern(struct world *w, const struct wthread *t, uint64_t place)
{
	struct trace *trace = w->config.trace;
	thread_id a = agent_intern(w->config.names, t->id, place);
	for (; a != NO_THREAD && trace->agents <= a - (uint32_t)MAX_THREADS; trace->agents++) {
		trace->pending[MAX_THREADS + trace->agents] = (struct event){ .kind = EV_NONE };
		trace->alts[MAX_THREADS + trace->agents] = 0;
	}
	return a;
}

static thread_id agent_for(struct world *w, struct wthread *t, uint64_t addr)
{
	struct membuf *b = t->buffer;
	if (2 * b->places >= b->place_cap)
		grow_places(w, b);
	struct place *p = place_of(b, w->config.settings.model == MODEL_PSO ? addr : 1);
	if (!p->addr) {
		thread_id a = intern(w, t, w->config.settings.model == MODEL_PSO ? addr : PLACE_ALL);
		if (a == NO_THREAD)
			return a;
		*p = (struct place){ .addr = w->config.settings.model == MODEL_PSO ? addr : 1, .agent = a };
		b->places++;
	}
	return p->agent;
}

void membuf_announced(struct world *w, struct wthread *t)
{
	if (!model_has_buffers(w->config.settings.model) || !w->config.memory || t->op.kind != EV_STORE)
		return;
	if (!t->buffer)
		t->buffer = world_alloc(w, sizeof *t->buffer);
	t->buffer->agent = t->atomic || (t->op.flags & OPF_DRAINS) ? NO_THREAD : agent_for(w, t, key_of(w, t->op.arg[0]));
}

thread_id membuf_agent(const struct wthread *t)
{
	return t->buffer ? t->buffer->agent : NO_THREAD;
}

uint32_t membuf_name(const struct wthread *t)
{
	return (uint32_t)update_result(t->id, t->buffer->numbers, t->buffer->epoch);
}

/* ---- entries ---- */

/* Returns the agent's queue; NULL when the thread has no stores yet. */
static struct place *queue_of(const struct world *w, const struct wthread *t, thread_id agent)
{
	const struct membuf *b = t->buffer;
	if (!b || !b->place_cap)
		return NULL;
	uint64_t place = agent_name_place(&w->config.names->agent[agent - MAX_THREADS]);
	return place_of(b, place == PLACE_ALL ? 1 : place);
}

static struct entry *head_of(const struct world *w, const struct wthread *t, thread_id agent)
{
	const struct place *p = queue_of(w, t, agent);
	return p ? p->first : NULL;
}

/* Returns whether `later` must wait for `earlier`, a store of the same thread. */
static bool waits_for(const struct world *w, const struct entry *later, const struct entry *earlier)
{
	return w->config.settings.model == MODEL_TSO || (later->flags & EVF_RELEASE) || later->epoch != earlier->epoch ||
	       overlap(later->key, later->size, earlier->key, earlier->size);
}

static bool ready(const struct entry *e)
{
	return e && !e->open && !e->waits;
}

static void describe(const struct world *w, const struct wthread *t, const struct entry *e, struct event *out)
{
	*out = (struct event){ .thread = e->agent, .kind = EV_UPDATE, .mode = { M_WRITE, e->obj[1] ? M_WRITE : M_NONE },
		.flags = e->flags, .span = e->span, .obj = { e->obj[0], e->obj[1] }, .pc = e->pc,
		/* the value in a popped frame means nothing */
		.seq = e->dropped ? 0 : memory_fingerprint(memory_at(w, e->addr, e->size), e->size),
		.result = update_result(t->id, e->number, e->epoch) };
}

/* Writes the agent's next event to trace->pending. */
static void show_pending(struct world *w, const struct wthread *t, thread_id agent)
{
	const struct entry *e = head_of(w, t, agent);
	struct event *to = &w->config.trace->pending[agent];
	if (e)
		describe(w, t, e, to);
	else
		*to = (struct event){ .kind = EV_NONE };
	w->config.trace->alts[agent] = 0; /* valid again after the next world_choices */
}

void membuf_store(struct world *w, struct wthread *t)
{
	struct membuf *b = t->buffer;
	const struct op *op = &t->op;
	uint32_t size = (uint32_t)op->arg[1];
	struct entry *e = world_alloc(w, sizeof *e + 2 * (uint64_t)size);
	*e = (struct entry){ .addr = op->arg[0], .key = key_of(w, op->arg[0]), .pc = op->pc, .size = size, .number = b->numbers++, .epoch = b->epoch,
		.agent = b->agent, .flags = op->flags & EVF_MEMORY & ~EVF_AWAIT, .span = op->span, .open = true,
		.more = op->more, .obj = { op->obj[0], op->obj[1] } };
	for (const struct entry *x = b->first; x; x = x->next)
		e->waits += waits_for(w, e, x);
	if (b->last)
		b->last->next = e;
	else
		b->first = e;
	b->last = e;
	struct place *queue = queue_of(w, t, e->agent);
	if (queue->last)
		queue->last->next_own = e;
	else
		queue->first = e;
	queue->last = e;
	b->stored = b->unfenced = true;
	w->buffered++;
	show_pending(w, t, e->agent);
}

/* Removes the head of its queue. */
static void take_out(struct world *w, struct wthread *t, struct entry *e)
{
	struct membuf *b = t->buffer;
	struct place *queue = queue_of(w, t, e->agent);
	queue->first = e->next_own;
	if (!queue->first)
		queue->last = NULL;
	struct entry *before = NULL;
	for (struct entry *x = b->first; x != e; x = x->next)
		before = x;
	if (before)
		before->next = e->next;
	else
		b->first = e->next;
	if (b->last == e)
		b->last = before;
	for (struct entry *x = e->next; x; x = x->next)
		x->waits -= waits_for(w, x, e);
	world_free(w, e, sizeof *e + 2 * (uint64_t)e->size);
	w->buffered--;
}

void membuf_drained(struct wthread *t)
{
	if (t->buffer)
		t->buffer->stored = false;
}

/* ---- choices ---- */

static struct wthread *owner_of(const struct world *w, thread_id agent)
{
	thread_id t = agent_owner(w->config.names, agent);
	return t < w->thread_cap ? w->thread[t] : NULL;
}

static void put_sorted(struct choice *out, unsigned n, thread_id agent)
{
	for (; n && out[n - 1].thread > agent; n--)
		out[n] = out[n - 1];
	out[n] = (struct choice){ .thread = agent, .alt = ALT_NORMAL };
}

unsigned membuf_choices(struct world *w, struct choice *out, unsigned max)
{
	unsigned n = 0;
	for (uint32_t i = 0; w->buffered && i < w->n_live; i++) {
		const struct wthread *t = w->thread[w->live[i]];
		for (struct entry *e = first_of(t); e; e = e->next) {
			bool is_ready = ready(e);
			if (is_ready)
				w->config.trace->alts[e->agent] = 1u << ALT_NORMAL;
			if (is_ready && n < max)
				put_sorted(out, n++, e->agent);
			if (w->config.settings.model == MODEL_TSO)
				break;
		}
	}
	return n;
}

bool membuf_preview(const struct world *w, thread_id a, struct event *out)
{
	const struct wthread *t = owner_of(w, a);
	const struct entry *e = t ? head_of(w, t, a) : NULL;
	if (e)
		describe(w, t, e, out);
	return e != NULL;
}

unsigned membuf_alternatives(struct world *w, thread_id a)
{
	const struct wthread *t = owner_of(w, a);
	unsigned alts = t && ready(head_of(w, t, a)) ? 1u << ALT_NORMAL : 0;
	w->config.trace->alts[a] = (uint8_t)alts;
	return alts;
}

void membuf_update(struct world *w, thread_id a, struct event *out)
{
	struct wthread *t = owner_of(w, a);
	struct entry *e = t ? head_of(w, t, a) : NULL;
	INVARIANT(ready(e), "agent %u has nothing to do", a);
	describe(w, t, e, out);
	if (kept(e))
		memcpy(memory_at(w, kept_from(e), kept(e)), e->bytes + e->dropped, kept(e));
	take_out(w, t, e);
	show_pending(w, t, a);
}

/* ---- shown ---- */

void world_show_buffer(struct world *w, thread_id id)
{
	struct wthread *t = w->thread[id];
	if (w->graph)
		live_show(w);
	if (!first_of(t) || t->buffer->shown)
		return;
	t->buffer->shown = true;
	for (struct entry *e = t->buffer->first; e; e = e->next) {
		if (!kept(e))
			continue;
		uint8_t *m = memory_at(w, kept_from(e), kept(e));
		memcpy(under(e) + e->dropped, m, kept(e));
		if (!e->open)
			memcpy(m, e->bytes + e->dropped, kept(e));
	}
}

/* Removes e and everything above it from memory. What memory holds there now is what e has written: by the store itself if that was
   still to come, else by code that no sensor saw. */
static void take_off(struct world *w, struct entry *e, bool not_yet)
{
	if (!e)
		return;
	take_off(w, e->next, not_yet);
	if (e->open && not_yet)
		return;
	if (kept(e)) {
		uint8_t *m = memory_at(w, kept_from(e), kept(e));
		memcpy(e->bytes + e->dropped, m, kept(e));
		memcpy(m, under(e) + e->dropped, kept(e));
	}
	e->open = false;
}

void world_pop_stack(struct world *w, thread_id id, uint64_t lo, uint64_t hi)
{
	if (w->graph)
		live_pop_stack(w, lo, hi);
	for (struct entry *e = first_of(w->thread[id]); e; e = e->next) {
		if (kept_from(e) >= hi || e->addr + e->size <= lo)
			continue;
		uint64_t dropped = hi - e->addr;
		e->dropped = dropped < e->size ? (uint32_t)dropped : e->size;
	}
}

void world_hide_buffer(struct world *w, thread_id id)
{
	struct wthread *t = w->thread[id];
	if (w->graph)
		live_hide(w);
	if (!t->buffer || !t->buffer->shown)
		return;
	t->buffer->shown = false;
	take_off(w, t->buffer->first, t->buffer->last->open && t->buffer->last->more);
}

/* ---- fences ---- */

bool world_fence_needed(const struct world *w, thread_id id)
{
	const struct membuf *b = w->thread[id]->buffer;
	return b && b->stored;
}

void world_release_fence(struct world *w, thread_id id)
{
	struct membuf *b = w->thread[id]->buffer;
	if (b && b->stored && b->unfenced) {
		b->epoch++;
		b->unfenced = false;
	}
}
