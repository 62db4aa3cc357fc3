/* Random walks: see lib_walk.h. */
#include "tests/unit/lib_walk.h"
#include "tests/unit/lib_valid.h"

#include <string.h>

#include "base/check.h"
#include "sched/choice.h"

enum { MUTEXES = 5, CONDS = 2, RWLOCKS = 2, SEMS = 2, BARRIERS = 2, ONCES = 2, FUTEXES = 2, FDS = 2 };

static const uint32_t mutex_types[MUTEXES] = { MUTEX_NORMAL, MUTEX_RECURSIVE, MUTEX_ERRORCHECK,
	MUTEX_ROBUST | MUTEX_NORMAL, MUTEX_ROBUST | MUTEX_ERRORCHECK };

uint64_t walk_random(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static object_id obj(struct walk *k, enum object_kind kind, unsigned i)
{
	return world_object(k->w, kind, 0x1000 + 16 * i);
}

static bool holds(const struct walk *k, thread_id t, object_id o)
{
	struct object_info info;
	return world_object_info(k->w, o, &info) && info.owner == t;
}

/* Descriptor i: a read needs a byte, a write needs room for one. */
static bool fd_ready(void *ctx, thread_id t, const struct op *op)
{
	const struct walk *k = ctx;
	struct object_info info;
	if (!world_object_info(k->w, op->obj[0], &info) || info.kind != OBJ_FD)
		return true;
	uint32_t n = k->s.fd[(info.addr - 0x1000) / 16];
	return op->kind == EV_FD_WRITE ? n < 2 : n > 0;
}

/* ---- memory ---- */

#define MEMORY_AT UINT64_C(0x1000)

static void *memory(void *ctx, uint64_t addr, uint32_t size)
{
	return ((struct walk *)ctx)->s.mem + (addr - MEMORY_AT);
}

/* A futex word matches when its first byte equals the expected one. */
static bool futex_matches(void *ctx, const struct op *op)
{
	const struct walk *k = ctx;
	struct object_info info;
	return world_object_info(k->w, op->obj[0], &info) && k->s.mem[info.addr - MEMORY_AT] == (uint8_t)op->arg[0];
}

static void name_memory(struct walk *k, uint64_t at, uint32_t size, object_id obj[2], uint8_t *span)
{
	INVARIANT(memory_name(&k->memory, MEMORY_AT + at, size, obj, span), "too many pages");
}

/* The written value depends only on the thread's own past. */
static void write_memory(struct walk *k, const struct op *op)
{
	memset(k->s.mem + (op->arg[0] - MEMORY_AT), (int)op->state, op->arg[1]);
}

/* ---- what a thread does next ---- */

static unsigned below(uint64_t *r, unsigned n)
{
	return (unsigned)(walk_random(r) % n);
}

static void pick_mutex_op(struct walk *k, thread_id t, uint64_t *r, struct op *op)
{
	unsigned i = below(r, MUTEXES), what = below(r, 64);
	op->obj[0] = obj(k, OBJ_MUTEX, i);
	op->type = mutex_types[i];
	bool mine = holds(k, t, op->obj[0]);
	op->kind = EV_MUTEX_LOCK;
	if (what == 0 && mine)
		op->kind = EV_MUTEX_INIT;
	else if (what == 1 && !mine)
		op->kind = EV_MUTEX_DESTROY;
	else if (what < 4)
		op->kind = EV_MUTEX_CONSISTENT;
	else if (what < 6 && !(i == 0))
		op->kind = EV_MUTEX_UNLOCK; /* EPERM unless held */
	else if (mine && what < 52)
		op->kind = EV_MUTEX_UNLOCK;
	else if (what < 20)
		op->kind = EV_MUTEX_TRYLOCK;
	else if (what < 30) {
		op->kind = EV_MUTEX_TRYLOCK;
		op->flags |= OPF_TIMED;
	}
}

static void pick_spin_op(struct walk *k, thread_id t, uint64_t *r, struct op *op)
{
	op->obj[0] = obj(k, OBJ_SPIN, 0);
	op->kind = holds(k, t, op->obj[0]) ? EV_SPIN_UNLOCK : below(r, 2) ? EV_SPIN_LOCK : EV_SPIN_TRYLOCK;
}

static void pick_cond_op(struct walk *k, thread_id t, uint64_t *r, struct op *op)
{
	static const uint8_t mutex_of[CONDS] = { 0, 1 };
	unsigned i = below(r, CONDS), what = below(r, 16);
	object_id c = obj(k, OBJ_COND, i), m = obj(k, OBJ_MUTEX, mutex_of[i]);
	op->obj[0] = c;
	if (what == 0) {
		op->kind = below(r, 4) ? EV_COND_BROADCAST : below(r, 2) ? EV_COND_DESTROY : EV_COND_INIT;
	} else if (holds(k, t, m) && what < 10) {
		op->kind = EV_COND_WAIT;
		op->obj[1] = m;
		op->type = mutex_types[mutex_of[i]];
		op->flags |= OPF_CANCELPOINT | (below(r, 2) ? OPF_TIMED : 0);
	} else if (what < 8) {
		op->kind = EV_MUTEX_LOCK;
		op->obj[0] = m;
		op->type = mutex_types[mutex_of[i]];
	} else {
		op->kind = what < 14 ? EV_COND_SIGNAL : EV_COND_BROADCAST;
	}
}

static void pick_rw_op(struct walk *k, thread_id t, uint64_t *r, struct op *op)
{
	static const uint8_t kinds[4] = { EV_RW_RDLOCK, EV_RW_TRYRDLOCK, EV_RW_WRLOCK, EV_RW_TRYWRLOCK };
	unsigned i = below(r, RWLOCKS);
	op->obj[0] = obj(k, OBJ_RWLOCK, i);
	op->type = i & 1 ? RWLOCK_PREFERS_WRITERS : RWLOCK_PREFERS_READERS;
	if (holds(k, t, op->obj[0]) && below(r, 8)) {
		op->kind = EV_RW_WRUNLOCK;
	} else if (k->s.thread[t].rd[i] && below(r, 4)) {
		op->kind = EV_RW_RDUNLOCK;
	} else {
		op->kind = kinds[below(r, 4)];
		op->flags |= (op->kind == EV_RW_TRYRDLOCK || op->kind == EV_RW_TRYWRLOCK) && below(r, 2) ? OPF_TIMED : 0;
	}
}

static void pick_sem_op(struct walk *k, uint64_t *r, struct op *op)
{
	static const uint8_t kinds[8] = { EV_SEM_POST, EV_SEM_POST, EV_SEM_POST, EV_SEM_WAIT, EV_SEM_WAIT,
		EV_SEM_TRYWAIT, EV_SEM_TRYWAIT, EV_SEM_GETVALUE };
	op->obj[0] = obj(k, OBJ_SEM, below(r, SEMS));
	op->kind = kinds[below(r, 8)];
	op->arg[1] = 2; /* seen in memory: 1 */
	if (op->kind == EV_SEM_TRYWAIT && below(r, 2))
		op->flags |= OPF_TIMED;
	if (below(r, 40) == 0) {
		op->kind = EV_SEM_INIT;
		op->arg[0] = below(r, 3);
	}
}

static void pick_futex_op(struct walk *k, uint64_t *r, struct op *op)
{
	unsigned i = below(r, FUTEXES), what = below(r, 12);
	op->obj[0] = obj(k, OBJ_FUTEX, i);
	if (what < 6) {
		object_id word[2];
		op->kind = EV_FUTEX_WAIT;
		op->arg[0] = below(r, 8) == 0;
		name_memory(k, 16 * i, 4, word, &op->span);
		op->obj[1] = word[0];
		op->arg[1] = below(r, 2) ? 0 : 1 + below(r, 3);
		op->flags |= below(r, 3) ? 0 : OPF_TIMED;
	} else if (what < 11) {
		op->kind = EV_FUTEX_WAKE;
		op->arg[0] = 1 + below(r, 2) * 99;
		op->arg[1] = below(r, 2) ? 0 : 1 + below(r, 3);
	} else {
		op->kind = below(r, 2) ? EV_FUTEX_REQUEUE : EV_FUTEX_CMP_REQUEUE;
		op->obj[1] = obj(k, OBJ_FUTEX, 1 - i);
		op->arg[0] = below(r, 2);
		op->arg[1] = below(r, 3);
	}
}

static void pick_thread_op(struct walk *k, thread_id t, uint64_t *r, struct op *op)
{
	static const uint8_t kinds[10] = { EV_THREAD_JOIN, EV_THREAD_JOIN, EV_THREAD_TRYJOIN, EV_THREAD_TRYJOIN,
		EV_THREAD_CANCEL, EV_SIGNAL_SEND, EV_SIGNAL_SEND, EV_THREAD_CREATE, EV_THREAD_CREATE, EV_SIGNAL_WAIT };
	thread_id x = (thread_id)below(r, 4);
	op->kind = kinds[below(r, 10)];
	if (below(r, 60) == 0)
		op->kind = EV_THREAD_DETACH;
	if (op->kind == EV_THREAD_CREATE) {
		if (t > 3 || k->s.thread[t].children++ >= 3)
			op->kind = EV_YIELD;
		return;
	}
	op->obj[0] = world_thread_object(k->w, op->kind == EV_SIGNAL_WAIT ? t : x);
	op->flags |= OPF_CANCELPOINT | (op->kind == EV_THREAD_TRYJOIN && below(r, 2) ? OPF_TIMED : 0);
}

static void pick_memory_op(struct walk *k, thread_id t, uint64_t *r, struct op *op)
{
	static const uint8_t sizes[] = { 1, 1, 2, 4, 8, 16, 40 }, bytes[] = { 0, 0, 1, 2 };
	uint32_t size = sizes[below(r, sizeof sizes)];
	uint64_t at = below(r, WALK_MEMORY - size + 1) & (below(r, 2) ? ~7u : ~0u);
	uint8_t expected[40];
	name_memory(k, at, size, op->obj, &op->span);
	op->arg[0] = MEMORY_AT + at;
	op->arg[1] = size;
	op->state = bytes[below(r, sizeof bytes)]; /* not OPF_AWAIT: the world does not look at it */
	memset(expected, bytes[below(r, sizeof bytes)], sizeof expected);
	if (op->kind == EV_RMW && below(r, 2))
		op->type = memory_fingerprint(expected, size);
	op->flags |= below(r, 2) ? OPF_ATOMIC : 0;
}

static void pick_other_op(struct walk *k, thread_id t, uint64_t *r, struct op *op)
{
	static const uint8_t kinds[18] = { EV_CHOOSE, EV_CHOOSE, EV_SLEEP, EV_YIELD, EV_LOAD, EV_STORE, EV_RMW, EV_LOAD, EV_FD_READ,
		EV_FD_WRITE, EV_FD_POLL, EV_FD_OTHER, EV_BARRIER_ARRIVE, EV_BARRIER_ARRIVE, EV_BARRIER_ARRIVE,
		EV_BARRIER_ARRIVE, EV_ONCE_ENTER, EV_ONCE_ENTER };
	op->kind = kinds[below(r, 18)];
	unsigned i = below(r, 2);
	enum object_kind object = event_kind_object(op->kind);
	if (object == OBJ_MEMORY) {
		pick_memory_op(k, t, r, op);
		return;
	}
	if (object == OBJ_FD) {
		op->arg[0] = below(r, 2);
		op->flags |= op->kind == EV_FD_POLL ? OPF_TIMED : OPF_CANCELPOINT;
	}
	if (object == OBJ_BARRIER && below(r, 30) == 0) {
		op->kind = EV_BARRIER_INIT;
		op->arg[0] = i + 2;
	}
	if (op->kind == EV_ONCE_ENTER && k->s.thread[t].once)
		op->kind = EV_YIELD;
	if (event_kind_object(op->kind) != OBJ_NONE)
		op->obj[0] = obj(k, event_kind_object(op->kind), i);
	if (op->kind == EV_CHOOSE) {
		uint32_t n = 2 + below(r, 8);
		op->arg[0] = (uint64_t)choose_result((struct chosen){ n, 0, n });
	}
	if (op->kind == EV_SLEEP && below(r, 500) == 0)
		op->kind = EV_EXIT;
}

/* Picks a lock that t holds and releases it. Returns false when t holds none. */
static bool pick_release(struct walk *k, thread_id t, struct op *op)
{
	struct walk_thread *s = &k->s.thread[t];
	object_id held[1];
	struct object_info info;
	if (s->once) {
		op->kind = EV_ONCE_ABORT;
		op->obj[0] = obj(k, OBJ_ONCE, (unsigned)s->once - 1);
		return true;
	}
	if (!world_held(k->w, t, held, 1))
		return false;
	world_object_info(k->w, held[0], &info);
	unsigned i = (unsigned)(info.addr - 0x1000) / 16;
	op->obj[0] = held[0];
	op->kind = info.kind == OBJ_MUTEX ? EV_MUTEX_UNLOCK : info.kind == OBJ_SPIN ? EV_SPIN_UNLOCK
		: info.owner == t ? EV_RW_WRUNLOCK : EV_RW_RDUNLOCK;
	if (info.kind == OBJ_MUTEX) {
		op->type = mutex_types[i];
		return !(op->type & MUTEX_ROBUST); /* robust mutexes may be kept */
	}
	return true;
}

static void pick_op(struct walk *k, thread_id t, uint64_t *r, struct op *op)
{
	struct walk_thread *s = &k->s.thread[t];
	op->deadline = world_now(k->w, t) + below(r, 1000);
	if (s->ops <= 3) { /* until all four exist */
		op->kind = s->ops == 1 && t ? EV_THREAD_START : EV_YIELD;
		return;
	}
	if (s->once && below(r, 2)) {
		op->kind = below(r, 4) ? EV_ONCE_DONE : EV_ONCE_ABORT;
		op->obj[0] = obj(k, OBJ_ONCE, (unsigned)s->once - 1);
		return;
	}
	if (s->ops > 30 && !s->handlers && below(r, 8) == 0)
		s->ending = 1;
	if (s->ending && !s->handlers) {
		if (!pick_release(k, t, op)) {
			op->kind = EV_THREAD_EXIT;
			op->type = 0;
			op->obj[0] = world_thread_object(k->w, t);
		}
		return;
	}
	unsigned what = below(r, 32);
	if (what < 7)
		pick_mutex_op(k, t, r, op);
	else if (what < 12)
		pick_cond_op(k, t, r, op);
	else if (what < 16)
		pick_rw_op(k, t, r, op);
	else if (what < 20)
		pick_sem_op(k, r, op);
	else if (what < 24)
		pick_futex_op(k, r, op);
	else if (what < 26)
		pick_thread_op(k, t, r, op);
	else if (what < 27)
		pick_spin_op(k, t, r, op);
	else
		pick_other_op(k, t, r, op);
}

static void announce(struct walk *k, thread_id t)
{
	struct walk_thread *s = &k->s.thread[t];
	struct op op = { .kind = EV_YIELD, .deadline = OP_NO_DEADLINE };
	if (s->handlers && s->left == 0) {
		s->handlers--;
		s->left = 1;
		world_resume(k->w, t);
		if (world_pending(k->w, t))
			return;
	}
	s->left -= s->handlers != 0;
	s->ops++;
	uint64_t r = k->seed ^ ((uint64_t)t << 40) ^ ((uint64_t)s->ops << 20);
	pick_op(k, t, &r, &op);
	world_announce(k->w, t, &op);
}

/* ---- running ---- */

void walk_start(struct walk *k, uint64_t seed)
{
	struct arena *a = arena_init(k->arena, sizeof k->arena);
	struct world_config config = { .names = &k->names, .trace = &k->trace, .ready = fd_ready,
		.futex_matches = futex_matches, .memory = memory, .ready_ctx = k };
	k->seed = seed;
	thread_names_init(&k->names);
	k->trace = (struct trace){ .pending = k->pending, .alts = k->alts, .threads = MAX_THREADS };
	config.settings.spurious = (seed & 3) == 0;
	k->s = (struct walk_state){ .threads = 1 };
	k->w = world_init(a, &config);
	INVARIANT(k->w, "arena");
	static const struct { uint8_t kind, n; } all[] = { { OBJ_MUTEX, MUTEXES }, { OBJ_SPIN, 1 },
		{ OBJ_COND, CONDS }, { OBJ_RWLOCK, RWLOCKS }, { OBJ_SEM, SEMS }, { OBJ_BARRIER, BARRIERS },
		{ OBJ_ONCE, ONCES }, { OBJ_FUTEX, FUTEXES }, { OBJ_FD, FDS } };
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
		for (unsigned n = 0; n < all[i].n; n++)
			obj(k, all[i].kind, n);
	for (unsigned i = 0; i < BARRIERS; i++) {
		struct op op = { .kind = EV_BARRIER_INIT, .obj = { obj(k, OBJ_BARRIER, i) }, .arg = { i + 2 } };
		struct step st;
		world_announce(k->w, 0, &op);
		world_step(k->w, (struct choice){ .thread = 0 }, &st);
	}
	for (unsigned i = 0; i < 3; i++) {
		struct op op = { .kind = EV_THREAD_CREATE };
		world_announce(k->w, 0, &op);
		walk_step(k, (struct choice){ .thread = 0 });
		if (i < 2)
			world_withdraw(k->w, 0);
	}
}

unsigned walk_choices(struct walk *k, struct choice out[WALK_CHOICES])
{
	return k->s.over ? 0 : world_choices(k->w, out, WALK_CHOICES);
}

/* Updates the thread's own record after its step. */
static void note(struct walk *k, struct walk_thread *s, const struct event *e)
{
	struct object_info info = { .kind = OBJ_NONE };
	world_object_info(k->w, e->obj[0], &info);
	unsigned i = (unsigned)(info.addr - 0x1000) / 16;
	if (e->kind == EV_ONCE_ENTER && e->result == 1)
		s->once = (int8_t)(i + 1);
	if (e->kind == EV_ONCE_DONE || e->kind == EV_ONCE_ABORT)
		s->once = 0;
	if (e->mode[0] == M_RDACQ && info.kind == OBJ_RWLOCK)
		s->rd[i]++;
	if (e->mode[0] == M_RDREL && info.kind == OBJ_RWLOCK)
		s->rd[i]--;
	if (e->kind == EV_FD_WRITE)
		k->s.fd[i]++;
	if (e->kind == EV_FD_READ)
		k->s.fd[i]--;
	if (e->kind == EV_RW_INIT)
		k->s.over = true;
}

void walk_step(struct walk *k, struct choice c)
{
	struct walk_thread *s = &k->s.thread[c.thread];
	struct step st;
	struct op op = *world_pending(k->w, c.thread);
	world_step(k->w, c, &st);
	if (event_kind_object(st.event.kind) == OBJ_MEMORY && st.event.mode[0] == M_WRITE)
		write_memory(k, &op);
	k->last_event = st.event;
	k->last_misuse = st.misuse;
	if (st.misuse || st.outcome == STEP_OVER) {
		k->s.over = true;
		return;
	}
	note(k, s, &st.event);
	if (st.event.kind == EV_SIGNAL_SEND) {
		thread_id x = (thread_id)st.event.seq;
		k->s.thread[x].signals++;
		if (world_alive(k->w, x))
			world_set_signal_pending(k->w, x, true);
	}
	if (st.created != NO_THREAD) {
		k->s.threads++;
		INVARIANT(st.created < WALK_THREADS, "more threads than the walk can hold");
		world_set_cancelable(k->w, st.created, true);
		announce(k, st.created);
	}
	switch (st.outcome) {
	case STEP_HANDLER:
		world_set_signal_pending(k->w, c.thread, --s->signals > 0);
		world_suspend(k->w, c.thread);
		s->handlers++;
		s->left = 1 + (uint8_t)(s->ops % 2);
		announce(k, c.thread);
		break;
	case STEP_CANCEL:
		s->ending = 1;
		world_set_cancelable(k->w, c.thread, false);
		announce(k, c.thread);
		break;
	case STEP_DONE:
		announce(k, c.thread);
		break;
	case STEP_MORE:
	case STEP_ENDED:
	case STEP_OVER:
		break;
	}
}

/* ---- state ---- */

void walk_save(const struct walk *k, struct walk_save *s)
{
	s->s = k->s;
	memcpy(s->pending, k->pending, sizeof s->pending);
	memcpy(s->alts, k->alts, sizeof s->alts);
	s->trace_threads = k->trace.threads;
	s->bytes = ((const struct arena *)k->arena)->used;
	memcpy(s->arena, k->arena, s->bytes);
}

void walk_restore(struct walk *k, const struct walk_save *s)
{
	k->s = s->s;
	memcpy(k->pending, s->pending, sizeof s->pending);
	memcpy(k->alts, s->alts, sizeof s->alts);
	k->trace.threads = s->trace_threads;
	memcpy(k->arena, s->arena, s->bytes);
}

static object_id plain_object(const struct walk *k, object_id o)
{
	struct object_info info;
	if (object_is_memory(o))
		return o;
	return world_object_info(k->w, o, &info) ? (object_id)(info.kind << 24 | (info.addr & 0xffffff)) : 0;
}

struct event walk_plain(const struct walk *k, struct event e)
{
	e.obj[0] = plain_object(k, e.obj[0]);
	e.obj[1] = plain_object(k, e.obj[1]);
	e.flags &= (uint8_t)~EVF_WAITED;
	return e;
}

void walk_look(struct walk *k, struct walk_view *v)
{
	memset(v, 0, sizeof *v);
	for (unsigned t = 0; t < WALK_THREADS && t < k->trace.threads; t++) {
		if (!world_alive(k->w, (thread_id)t))
			continue;
		unsigned alts = world_alternatives(k->w, (thread_id)t);
		v->thread[t].alive = 1;
		v->thread[t].alts = (uint8_t)alts;
		v->thread[t].clock = world_now(k->w, (thread_id)t);
		v->thread[t].cancel = world_cancel_requested(k->w, (thread_id)t);
		for (unsigned a = 0; a < ALT_COUNT; a++) {
			struct event e;
			if (!(alts & 1u << a))
				continue;
			world_preview(k->w, (struct choice){ .thread = (thread_id)t, .alt = (uint8_t)a }, &e);
			v->thread[t].preview[a] = walk_plain(k, e);
		}
	}
}
