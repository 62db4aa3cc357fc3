/* Programs of lib_rc11.h in the world: see lib_live.h. */
#include "tests/unit/lib_live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/hb.h"
#include "sched/live.h"
#include "sched/memory.h"
#include "sched/rc11.h"

#define BASE UINT64_C(0x5000)
#define EVENTS 96
#define CHOICES 64
#define NOBODY UINT16_MAX

static struct {
	const struct rc_program *p;
	uint32_t without;
	struct world *w;
	struct hb *hb;
	struct trace trace;
	thread_id id[RC_THREADS]; /* of each thread of the program; NOBODY: not created yet */
	unsigned line[RC_THREADS];
	unsigned created; /* T0 has looked at so many threads of the program */
	uint32_t reg[RC_THREADS][RC_REGS];
	uint8_t name[EVENTS + 1]; /* of each event of the trace, from 1 */
	struct rc_key key;
	unsigned orders[RC_PLACES];
	unsigned calls[RC_OBJECTS]; /* of these chains so far */
	unsigned initialised; /* calls with which T0 begins */
} run;

/* The chain of each object: that of the object with the smallest number. */
static uint8_t chain[RC_OBJECTS];

static struct thread_names names;
static struct memory_table cells;
static struct event events[EVENTS], pending[MAX_IDS];
static uint8_t pending_alts[MAX_IDS], mem[4096];
static _Alignas(16) char arena_memory[4 << 20];

static void *bytes_at(void *ctx, uint64_t addr, uint32_t size)
{
	assert_true(addr >= BASE && addr + size <= BASE + sizeof mem);
	return mem + (addr - BASE);
}

#define WORD (BASE + 16u * RC_WORD)

static bool word_is_zero(void *ctx, const struct op *op)
{
	uint32_t word;
	memcpy(&word, bytes_at(ctx, WORD, 4), 4);
	return op->kind == EV_FUTEX_WAIT && !word;
}

static uint64_t place_addr(const struct rc_line *l)
{
	return BASE + 16u * (unsigned)l->place;
}

static uint64_t object_addr(int object)
{
	return BASE + 0x800 + 16u * (unsigned)object;
}

void live_forget_connections(void)
{
	for (unsigned o = 0; o < RC_OBJECTS; o++)
		chain[o] = (uint8_t)o;
}

static void connect(int a, int b)
{
	uint8_t to = chain[a] < chain[b] ? chain[a] : chain[b], from = chain[a] < chain[b] ? chain[b] : chain[a];
	for (unsigned o = 0; o < RC_OBJECTS; o++)
		chain[o] = chain[o] == from ? to : chain[o];
}

/* ---- operations ---- */

static struct op plain_op(unsigned kind, object_id o)
{
	return (struct op){.kind = (uint8_t)kind, .obj = {o}, .deadline = OP_NO_DEADLINE, .pc = 0x400};
}

static uint32_t value(unsigned t, struct rc_value v)
{
	return (v.reg < 0 ? 0 : run.reg[t][v.reg]) + (uint32_t)v.constant;
}

/* A compare-and-swap has two orders, and a plain access cannot have another one. */
static bool is_strengthened(const struct rc_line *l)
{
	return (run.without & STRENGTHENED) && l->what != RC_CAS && l->order != RC11_PLAIN;
}

static enum rc11_order announced_order(const struct rc_line *l)
{
	return is_strengthened(l) ? RC11_RELAXED : l->order;
}

static struct op access_op(unsigned t, const struct rc_line *l)
{
	struct op op = plain_op(l->what == RC_LOAD ? EV_LOAD : l->what == RC_STORE ? EV_STORE
										   : EV_RMW,
		0);
	uint32_t expected = value(t, l->expected);
	op.arg[0] = place_addr(l);
	op.arg[1] = 4;
	assert_true(memory_name(&cells, op.arg[0], 4, op.obj, &op.span));
	enum rc11_order order = announced_order(l);
	op.flags = order == RC11_PLAIN ? OPF_PLAIN : OPF_ATOMIC;
	op.flags |= order_acquires(order) && l->what != RC_STORE ? OPF_ACQUIRE : 0;
	op.flags |= order_releases(order) && l->what != RC_LOAD ? OPF_RELEASE : 0;
	op.seq_cst = order == RC11_SEQ_CST;
	if (l->what == RC_CAS) {
		op.type = memory_fingerprint(&expected, 4);
		op.failed_acquires = order_acquires(l->fail);
		op.failed_seq_cst = l->fail == RC11_SEQ_CST;
	}
	world_computes(run.w, run.id[t], l->what == RC_UPDATE ? l->update + 1u : 0, value(t, l->value), expected);
	return op;
}

static struct op call_op(const struct rc_line *l)
{
	const struct {
		uint8_t kind, object;
	} of[RC_CALLS] = {
		[RC_TRYLOCK] = {EV_MUTEX_TRYLOCK, OBJ_MUTEX},
		[RC_WAIT] = {EV_COND_WAIT, OBJ_COND},
		[RC_SIGNAL] = {EV_COND_SIGNAL, OBJ_COND},
		[RC_BROADCAST] = {EV_COND_BROADCAST, OBJ_COND},
		[RC_POST] = {EV_SEM_POST, OBJ_SEM},
		[RC_SEMWAIT] = {EV_SEM_WAIT, OBJ_SEM},
		[RC_SEMTRY] = {EV_SEM_TRYWAIT, OBJ_SEM},
		[RC_RDLOCK] = {EV_RW_RDLOCK, OBJ_RWLOCK},
		[RC_WRLOCK] = {EV_RW_WRLOCK, OBJ_RWLOCK},
		[RC_TRYRD] = {EV_RW_TRYRDLOCK, OBJ_RWLOCK},
		[RC_TRYWR] = {EV_RW_TRYWRLOCK, OBJ_RWLOCK},
		[RC_CLAIM] = {l->timed ? EV_RW_TRYWRLOCK : EV_RW_WRLOCK, OBJ_RWLOCK},
		[RC_RDUNLOCK] = {EV_RW_RDUNLOCK, OBJ_RWLOCK},
		[RC_WRUNLOCK] = {EV_RW_WRUNLOCK, OBJ_RWLOCK},
		[RC_BARRIER] = {EV_BARRIER_ARRIVE, OBJ_BARRIER},
		[RC_ONCE] = {EV_ONCE_ENTER, OBJ_ONCE},
		[RC_FUTEX_WAIT] = {EV_FUTEX_WAIT, OBJ_FUTEX},
		[RC_FUTEX_WAKE] = {EV_FUTEX_WAKE, OBJ_FUTEX},
	};
	uint64_t at = l->place == RC_FUTEX ? WORD : object_addr(l->place);
	struct op op = plain_op(of[l->call].kind, world_object(run.w, of[l->call].object, at));
	op.flags = l->timed ? OPF_TIMED : 0;
	op.deadline = l->timed ? 1 : OP_NO_DEADLINE;
	op.type = l->call == RC_CLAIM ? RWLOCK_PREFERS_WRITERS : 0;
	if (l->call == RC_FUTEX_WAKE)
		op.arg[0] = 1;
	if (l->call == RC_FUTEX_WAIT) {
		object_id word[2] = {0};
		assert_true(memory_name(&cells, WORD, 4, word, &op.span));
		op.obj[1] = word[0];
	}
	if (l->call == RC_WAIT)
		op.obj[1] = world_object(run.w, OBJ_MUTEX, object_addr(l->other));
	return op;
}

static struct op op_of(unsigned t, const struct rc_line *l)
{
	struct op op;
	switch (l->what) {
	case RC_CALL:
		return call_op(l);
	case RC_LOAD:
	case RC_STORE:
	case RC_UPDATE:
	case RC_CAS:
		return access_op(t, l);
	case RC_FENCE:
		op = plain_op(EV_FENCE, 0);
		op.type = announced_order(l);
		return op;
	case RC_LOCK:
	case RC_UNLOCK:
		return plain_op(l->what == RC_LOCK ? EV_MUTEX_LOCK : EV_MUTEX_UNLOCK,
			world_object(run.w, OBJ_MUTEX, object_addr(l->place)));
	case RC_CREATE:
		return plain_op(EV_THREAD_CREATE, 0);
	case RC_JOIN:
		return plain_op(EV_THREAD_JOIN, world_thread_object(run.w, run.id[l->other]));
	}
	return plain_op(EV_YIELD, 0);
}

/* Announces what thread t of the program does next: its next line whose condition holds, or its end. A thread that
   joins one that does not exist yet announces nothing. */
static void announce(unsigned t)
{
	const struct rc_program *p = run.p;
	struct op op = plain_op(EV_THREAD_EXIT, world_thread_object(run.w, run.id[t]));
	for (; run.line[t] < p->length[t]; run.line[t]++) {
		const struct rc_line *l = &p->line[t][run.line[t]];
		if (l->cond >= 0 && run.reg[t][l->cond] != (uint32_t)l->cond_value)
			continue;
		if (l->what == RC_JOIN && run.id[l->other] == NOBODY)
			return;
		op = op_of(t, l);
		break;
	}
	world_announce(run.w, run.id[t], &op);
}

/* ---- T0 ---- */

static bool is_created(unsigned t)
{
	const struct rc_program *p = run.p;
	for (unsigned by = 0; by < p->threads; by++)
		for (unsigned i = 0; i < p->length[by]; i++)
			if (p->line[by][i].what == RC_CREATE && p->line[by][i].other == (int)t)
				return true;
	return false;
}

/* T0 initialises the semaphore and the barrier, then announces the creation of the next thread that the program does
   not create itself. */
static void announce_first(void)
{
	if (run.p->calls && run.initialised < 2) {
		bool sem = !run.initialised;
		struct op init = plain_op(sem ? EV_SEM_INIT : EV_BARRIER_INIT,
			world_object(run.w, sem ? OBJ_SEM : OBJ_BARRIER, object_addr(sem ? RC_SEM : RC_BARRIERS)));
		init.arg[0] = sem ? 1 : 2;
		world_announce(run.w, 0, &init);
		return;
	}
	while (run.created < run.p->threads && is_created(run.created))
		run.created++;
	struct op op = plain_op(EV_THREAD_CREATE, 0);
	if (run.created < run.p->threads)
		world_announce(run.w, 0, &op);
}

static void begin(void)
{
	struct arena *a = arena_init(arena_memory, sizeof arena_memory);
	struct world_config config = {.names = &names, .trace = &run.trace, .memory = bytes_at};
	config.graph_events = EVENTS;
	config.futex_matches = word_is_zero;
	config.settings.model = MODEL_RC11;
	if (!names.count)
		thread_names_init(&names);
	memset(mem, 0, sizeof mem);
	run.trace = (struct trace){.event = events, .cap = EVENTS, .memory = &cells};
	run.trace.pending = pending;
	run.trace.alts = pending_alts;
	run.hb = hb_init(a, MODEL_RC11);
	config.order = run.hb;
	run.w = world_init(a, &config);
	live_leave_out(run.w, run.without & ~(WITHOUT_CALLS | WITHOUT_STORES | STRENGTHENED | LATEST_WORD));
	for (unsigned t = 0; t < run.p->threads; t++)
		run.id[t] = NOBODY;
	announce_first();
}

/* ---- after an event ---- */

static uint32_t updated(enum rc11_update update, uint32_t found, uint32_t operand)
{
	switch (update) {
	case RC11_EXCHANGE: return operand;
	case RC11_ADD: return found + operand;
	case RC11_SUB: return found - operand;
	case RC11_AND: return found & operand;
	case RC11_OR: return found | operand;
	case RC11_XOR: return found ^ operand;
	case RC11_NAND: return ~(found & operand);
	}
	return 0;
}

/* The access itself, as the program's code makes it. */
static void access_memory(unsigned t, const struct rc_line *l)
{
	uint32_t *at = bytes_at(NULL, place_addr(l), 4);
	world_show_buffer(run.w, run.id[t]);
	uint32_t found = *at;
	if (l->what == RC_STORE)
		*at = value(t, l->value);
	else if (l->what == RC_UPDATE)
		*at = updated(l->update, found, value(t, l->value));
	else if (l->what == RC_CAS && found == value(t, l->expected))
		*at = value(t, l->value);
	if (l->what != RC_STORE)
		run.key.found[t][run.line[t]] = run.reg[t][l->reg] = found;
	world_hide_buffer(run.w, run.id[t]);
}

/* Notes where the newest event, an access, stands in the graph. */
static void note_access(unsigned t, const struct rc_line *l, const struct event *e)
{
	uint32_t from = event_reads_from(e);
	uint8_t store = from ? run.name[from] : RC_FIRST;
	run.key.reads[t][run.line[t]] = l->what == RC_STORE ? RC_DONE : store;
	if (!mode_changes_bytes(event_bytes_mode(e)))
		return;
	uint8_t *order = run.key.order[l->place];
	unsigned at = 0, n = run.orders[l->place]++;
	while (from && order[at++] != store)
		assert_true(at < n);
	memmove(order + at + 1, order + at, n - at);
	order[at] = run.name[run.trace.n];
}

/* The same for a lock, whose events are accesses of a place in the oracle. */
static void note_lock(unsigned t, const struct rc_line *l)
{
	unsigned n = run.orders[l->place]++;
	uint8_t before = n ? run.key.order[l->place][n - 1] : RC_FIRST;
	run.key.reads[t][run.line[t]] = l->what == RC_UNLOCK ? RC_DONE : before;
	run.key.order[l->place][n] = run.name[run.trace.n];
}

/* Which of the events of a call it is: a number below RC_PARTS. */
static unsigned part_of(unsigned kind)
{
	switch (kind) {
	case EV_COND_WAKE:
	case EV_COND_WOKEN:
	case EV_ONCE_DONE:
	case EV_RW_WRWAIT:
	case EV_FUTEX_WOKEN:
		return 1;
	case EV_COND_TIMEOUT:
	case EV_RW_WRTIMEOUT:
	case EV_FUTEX_TIMEOUT:
		return 2;
	case EV_COND_RELOCK:
		return 3;
	}
	return 0;
}

/* Notes an event of a call. Leaving a barrier has no place in the chain. */
static void note_call(unsigned t, const struct rc_line *l, const struct event *e)
{
	uint8_t *list = run.key.calls[chain[l->place]];
	if (e->kind == EV_COND_WAIT)
		connect(l->place, l->other);
	if (e->kind != EV_BARRIER_PASS)
		list[run.calls[chain[l->place]]++] = (uint8_t)(RC_NAME(t, run.line[t]) + part_of(e->kind) * RC_NAMES);
}

/* Notes an access of the word, which has its place in the chain of the futex. */
static void note_word(unsigned t)
{
	run.key.calls[chain[RC_FUTEX]][run.calls[chain[RC_FUTEX]]++] = RC_NAME(t, run.line[t]);
}

/* Returns whether the thread is about to access the word, which meets the latest store in all searches. */
static bool meets_latest(thread_id id)
{
	if (!(run.without & LATEST_WORD) || !run.p->futex)
		return false;
	for (unsigned t = 0; t < run.p->threads; t++)
		if (run.id[t] == id && run.line[t] < run.p->length[t] && run.p->line[t][run.line[t]].place == RC_WORD)
			return true;
	return false;
}

/* Announces the second event of a call that makes it itself. Returns whether there is one. */
static bool announce_second(unsigned t, const struct rc_line *l, const struct step *st)
{
	if (st->outcome == STEP_MORE)
		return true;
	if (st->event.kind != EV_ONCE_ENTER || st->result != 1)
		return false;
	struct op op = plain_op(EV_ONCE_DONE, world_object(run.w, OBJ_ONCE, object_addr(l->place)));
	world_announce(run.w, run.id[t], &op);
	return true;
}

/* Returns whether the line is done. */
static bool performed_call(unsigned t, const struct rc_line *l, const struct step *st)
{
	note_call(t, l, &st->event);
	if (announce_second(t, l, st))
		return false;
	run.key.found[t][run.line[t]] = st->result ? 1 : 0;
	if (l->reg >= 0)
		run.reg[t][l->reg] = st->result ? 1 : 0;
	return true;
}

static void performed_line(unsigned t, const struct step *st)
{
	const struct event *e = &st->event;
	const struct rc_line *l = &run.p->line[t][run.line[t]];
	run.name[run.trace.n] = RC_NAME(t, run.line[t]);
	run.key.reads[t][run.line[t]] = RC_DONE;
	if (l->what == RC_CALL && !performed_call(t, l, st))
		return;
	if (l->what == RC_CALL)
		;
	else if (run.p->calls && (l->what == RC_LOCK || l->what == RC_UNLOCK))
		note_call(t, l, e);
	else if (l->what == RC_LOCK || l->what == RC_UNLOCK)
		note_lock(t, l);
	else if (l->what == RC_FENCE)
		hb_fence(run.hb, run.id[t], order_acquires(l->order), order_releases(l->order));
	else if (l->what != RC_CREATE && l->what != RC_JOIN) {
		if (run.p->futex && l->place == RC_WORD)
			note_word(t);
		note_access(t, l, e);
		access_memory(t, l);
	}
	run.line[t]++;
}

static void start(thread_id id, unsigned t)
{
	struct op op = plain_op(EV_THREAD_START, 0);
	run.id[t] = id;
	world_announce(run.w, id, &op);
}

/* Threads that waited for one that has been created now announce their JOIN. */
static void announce_joins(void)
{
	for (unsigned t = 0; t < run.p->threads; t++)
		if (run.id[t] != NOBODY && world_alive(run.w, run.id[t]) && !world_pending(run.w, run.id[t]))
			announce(t);
}

static void performed(const struct step *st)
{
	unsigned t = 0;
	if (st->event.thread == 0) {
		if (st->event.kind == EV_THREAD_CREATE)
			start(st->created, run.created++);
		else
			run.initialised++;
		announce_first();
		return;
	}
	while (run.id[t] != st->event.thread)
		t++;
	if (st->event.kind == EV_THREAD_EXIT)
		return;
	int other = run.p->line[t][run.line[t]].other;
	if (st->event.kind != EV_THREAD_START)
		performed_line(t, st);
	if (st->event.kind == EV_THREAD_CREATE)
		start(st->created, (unsigned)other);
	announce_joins();
}

/* ---- the execution ---- */

static uint64_t object_name(const void *world, object_id o)
{
	return world_object_name(world, o);
}

/* Returns the choice of a thread that begins or ends, or of T0; -1 if there is none. */
static int at_once(const struct choice *c, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		unsigned kind = pending[c[i].thread].kind;
		if (c[i].thread == 0 || kind == EV_THREAD_START || kind == EV_THREAD_EXIT)
			return (int)i;
	}
	return -1;
}

/* Gives the line that thread `id` is about to execute its order. */
static void strengthen(thread_id id)
{
	for (unsigned t = 0; t < run.p->threads; t++)
		if (run.id[t] == id && run.line[t] < run.p->length[t] && is_strengthened(&run.p->line[t][run.line[t]]))
			world_strengthen(run.w, id, run.p->line[t][run.line[t]].order);
}

/* The store that the driver picks for the thread. Returns false when it ends the execution. */
static bool pick_store(const struct live_driver *d, struct sched_view *view, struct choice *c)
{
	struct choice stores[CHOICES];
	strengthen(c->thread);
	view->choices = stores;
	view->n = world_stores(run.w, c->thread, stores, CHOICES);
	bool latest = view->n < 2 || (run.without & WITHOUT_STORES) || meets_latest(c->thread);
	int i = latest ? 0 : d->pick_store(d->self, view);
	if (i >= 0 && view->n > 1)
		*c = stores[i];
	return i >= 0;
}

static void step(const struct live_driver *d, struct choice c)
{
	struct step st;
	world_step(run.w, c, &st);
	assert_true(run.trace.n < EVENTS);
	events[run.trace.n++] = st.event;
	bool call = event_kind_object(st.event.kind) == OBJ_MUTEX;
	struct event nothing = {.thread = st.event.thread, .kind = EV_YIELD};
	hb_event(run.hb, call && (run.without & WITHOUT_CALLS) ? &nothing : &st.event);
	if (d->observe)
		d->observe(d->self, &st.event);
	struct sched_view view = {.world = run.w, .seen = world_seen};
	bool late = st.event.kind == EV_FENCE;
	if (d->ordered && !late)
		d->ordered(d->self, &view);
	performed(&st);
	if (d->ordered && late)
		d->ordered(d->self, &view);
}

bool live_execute(const struct rc_program *p, uint32_t without, bool all_events, const struct live_driver *d,
	struct rc_key *key, const struct trace **trace)
{
	memset(&run, 0, sizeof run);
	run.p = p;
	run.without = without;
	begin();
	*trace = &run.trace;
	bool whole = true;
	for (;;) {
		struct choice choices[CHOICES];
		struct sched_view view = {.choices = choices, .trace = &run.trace, .world = run.w};
		view.current = NO_THREAD;
		view.n = world_choices(run.w, choices, CHOICES);
		view.preview = world_preview;
		view.access = world_access_order;
		view.object_name = object_name;
		if (!view.n)
			break;
		int i = all_events ? -1 : at_once(choices, view.n);
		i = i >= 0 ? i : d->pick(d->self, &view);
		whole = i >= 0 && pick_store(d, &view, &choices[i]);
		if (!whole)
			break;
		step(d, choices[i]);
	}
	*key = run.key;
	return whole;
}
