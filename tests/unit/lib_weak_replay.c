/*
 * The Shasha-Snir trace of an execution of the toy machine: replays its events over buffers and a memory that record only the writer of each
 * byte. See lib_weak.h.
 */
#include <string.h>

#include "base/check.h"
#include "tests/unit/lib_weak.h"

#define BUFFERED 64
#define BYTES (8 * TOY_VARS)

struct pending {
	uint32_t event; /* the STORE */
	unsigned at, size, no;
};

struct replayed {
	unsigned did, writes, n;
	struct pending buffer[BUFFERED]; /* oldest first */
};

struct replay {
	const struct toy *t;
	bool library;
	struct toy_hash h;
	struct replayed thread[TOY_THREADS];
	struct {
		uint16_t writer, no, writes;
	} byte[BYTES];
	unsigned mutex_uses[MAX_THREADS]; /* by object */
	uint16_t no[TOY_TRACE];           /* for each event, its number among its thread's actions; 0: none */
};

struct range {
	unsigned at, size;
};

static struct range range_of(const struct replay *r, const struct event *e)
{
	uint64_t lo, hi;
	INVARIANT(event_bytes(e, &lo, &hi), "an access of no memory");
	uint64_t addr = memory_address(&r->t->memory, (object_id)(lo >> 4) | OBJECT_MEMORY) + (lo & 15);
	INVARIANT(addr >= TOY_BASE && addr + (hi - lo) < TOY_BASE + BYTES, "an access out of memory");
	return (struct range){(unsigned)(addr - TOY_BASE), (unsigned)(hi - lo + 1)};
}

static bool has(const struct pending *s, unsigned byte)
{
	return byte >= s->at && byte < s->at + s->size;
}

/* Returns whether the byte came from the thread's own buffer. */
static bool read_byte(struct replay *r, unsigned k, unsigned byte)
{
	struct replayed *x = &r->thread[k];
	for (unsigned i = x->n; i--;)
		if (has(&x->buffer[i], byte)) {
			weak_read(&r->h, k, x->did, byte, k, x->buffer[i].no);
			return true;
		}
	weak_read(&r->h, k, x->did, byte, r->byte[byte].writer, r->byte[byte].no);
	return false;
}

static bool read_bytes(struct replay *r, unsigned k, struct range at)
{
	bool forwarded = false;
	for (unsigned b = at.at; b < at.at + at.size; b++)
		forwarded |= read_byte(r, k, b);
	return forwarded;
}

static void write_bytes(struct replay *r, unsigned k, unsigned no, struct range at)
{
	for (unsigned b = at.at; b < at.at + at.size; b++) {
		r->byte[b].writer = (uint16_t)k;
		r->byte[b].no = (uint16_t)no;
		weak_wrote(&r->h, b, ++r->byte[b].writes, k, no);
	}
}

static void access_event(struct replay *r, unsigned k, uint32_t j, const struct event *e)
{
	struct replayed *x = &r->thread[k];
	struct range at = range_of(r, e);
	bool buffered = e->kind == EV_STORE && e->mode[0] == M_BUFFER, wrote = e->mode[0] != M_READ;
	x->did++;
	weak_did(&r->h, k, x->did, e->kind == EV_LOAD ? WEAK_LOAD : e->kind == EV_STORE ? WEAK_STORE : WEAK_RMW, at.at, at.size, wrote);
	if (e->kind != EV_STORE) {
		bool forwarded = read_bytes(r, k, at);
		INVARIANT(e->kind != EV_LOAD || forwarded == !!(e->flags & EVF_FORWARDED), "event %u: forwarded or not", j);
		INVARIANT(e->kind == EV_LOAD || !forwarded, "event %u needs an empty buffer", j);
	}
	if (!wrote)
		return;
	x->writes++;
	if (buffered) {
		INVARIANT(r->t->p->model != MODEL_SC && x->n < BUFFERED && is_agent((thread_id)e->result), "event %u: buffer", j);
		x->buffer[x->n++] = (struct pending){j, at.at, at.size, x->writes};
	} else {
		INVARIANT(!x->n, "event %u needs an empty buffer", j);
		write_bytes(r, k, x->writes, at);
	}
}

static void update_event(struct replay *r, uint32_t j, const struct event *e)
{
	unsigned k = r->t->index[update_owner(e)], i = 0;
	struct replayed *x = &r->thread[k];
	struct range at = range_of(r, e);
	while (i < x->n && r->t->event[x->buffer[i].event].result != e->thread)
		i++;
	INVARIANT(i < x->n, "event %u: update of nothing", j);
	struct pending s = x->buffer[i];
	const struct event *store = &r->t->event[s.event];
	INVARIANT(s.at == at.at && s.size == at.size && store->pc == e->pc && !((store->flags ^ e->flags) & EVF_MEMORY),
		"event %u is not as its store", j);
	INVARIANT(i == 0 || (r->t->p->model == MODEL_PSO && !(e->flags & EVF_RELEASE)), "event %u comes too early", j);
	for (unsigned o = 0; o < i; o++)
		INVARIANT(x->buffer[o].at >= s.at + s.size || s.at >= x->buffer[o].at + x->buffer[o].size, "event %u overtakes", j);
	write_bytes(r, k, s.no, at);
	x->n--;
	memmove(&x->buffer[i], &x->buffer[i + 1], (x->n - i) * sizeof *x->buffer);
}

static void mutex_event(struct replay *r, unsigned k, const struct event *e)
{
	struct object_info info;
	INVARIANT(world_object_info(r->t->world, e->obj[0], &info), "no such mutex");
	unsigned m = (unsigned)info.addr - 1; /* lib_toy.c names mutexes this way */
	r->thread[k].did++;
	weak_did(&r->h, k, r->thread[k].did, e->kind == EV_MUTEX_LOCK ? WEAK_LOCK : WEAK_UNLOCK, m, 0, true);
	weak_locked(&r->h, m, ++r->mutex_uses[e->obj[0]], k, r->thread[k].did);
}

static bool is_access(const struct event *e)
{
	return e->kind == EV_LOAD || e->kind == EV_STORE || e->kind == EV_RMW || e->kind == EV_UPDATE;
}

static void library_event(struct replay *r, unsigned k, uint32_t j, const struct event *e)
{
	uint64_t name = (uint64_t)k << 16 | ++r->thread[k].did;
	r->no[j] = (uint16_t)r->thread[k].did;
	weak_other(&r->h, name, (uint64_t)e->kind << 24 | (uint64_t)e->alt << 20 | (uint64_t)e->mode[0] << 10 |
					(uint64_t)e->mode[1] << 5 | (uint32_t)(e->result & 0x1f));
	for (uint32_t i = 0; i < j; i++) {
		const struct event *d = &r->t->event[i];
		if (d->thread != e->thread && r->no[i] && events_dependent(d, e))
			weak_other(&r->h, name | UINT64_C(1) << 32, (uint64_t)d->thread << 16 | r->no[i]);
	}
	if (object_is_memory(e->obj[1]) && e->mode[1] == M_READ)
		read_bytes(r, k, range_of(r, e));
}

/* Events that are not part of the trace: their position follows from the others, or does not matter. */
static bool says_nothing(const struct event *e)
{
	return e->kind == EV_THREAD_CREATE || e->kind == EV_THREAD_START || e->kind == EV_THREAD_EXIT || e->kind == EV_THREAD_JOIN ||
	       e->kind == EV_YIELD || e->kind == EV_EXIT;
}

static void replay_event(struct replay *r, uint32_t j)
{
	const struct event *e = &r->t->event[j];
	if (e->kind == EV_UPDATE) {
		update_event(r, j, e);
		return;
	}
	unsigned k = r->t->index[e->thread];
	INVARIANT(!event_drains(e) || !r->thread[k].n || e->kind == EV_DEATH, "event %u needs an empty buffer", j);
	if (is_access(e))
		access_event(r, k, j, e);
	else if (e->kind == EV_FENCE)
		return;
	else if (r->library)
		library_event(r, k, j, e);
	else if (e->kind == EV_MUTEX_LOCK || e->kind == EV_MUTEX_UNLOCK)
		mutex_event(r, k, e);
	else
		INVARIANT(says_nothing(e), "event %u is of a kind that the oracle does not know", j);
}

struct toy_hash toy_weak_hash(const struct toy *t, bool library)
{
	static struct replay r;
	memset(&r, 0, offsetof(struct replay, no));
	memset(r.no, 0, t->trace.n * sizeof *r.no);
	r.t = t;
	r.library = library;
	for (uint32_t j = 0; j < t->trace.n; j++)
		replay_event(&r, j);
	return r.h;
}
