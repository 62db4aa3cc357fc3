/* The toy machine: see lib_toy.h. */
#include "tests/unit/lib_toy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "explore/search.h"
#include "sched/choice.h"

void toy_add(struct toy_program *p, unsigned t, enum toy_op op, int a, int b, int c, int d, int e)
{
	INVARIANT(t < TOY_THREADS && p->len[t] < TOY_CODE - 1, "toy program too long");
	p->code[t][p->len[t]++] = (struct toy_instr){op, 0, false, TOY_PLAIN, false, (int16_t)a, (int16_t)b, (int16_t)c, (int16_t)d, (int16_t)e};
	if (t >= p->threads)
		p->threads = t + 1;
}

void toy_sized(struct toy_program *p, unsigned t, unsigned size)
{
	p->code[t][p->len[t] - 1].size = (uint8_t)size;
}

void toy_ordered(struct toy_program *p, unsigned t, enum toy_order order)
{
	p->code[t][p->len[t] - 1].order = (uint8_t)order;
}

void toy_spins(struct toy_program *p, unsigned t)
{
	p->code[t][p->len[t] - 1].spins = true;
}

void toy_waits(struct toy_program *p, unsigned t)
{
	p->code[t][p->len[t] - 1].waits = true;
}

void toy_main(struct toy_program *p)
{
	unsigned n = p->threads;
	for (unsigned k = 1; k < n; k++)
		toy_add(p, 0, TOY_SPAWN, (int)k, 0, 0, 0, 0);
	for (unsigned k = 1; k < n; k++)
		toy_add(p, 0, TOY_JOIN, (int)k, 0, 0, 0, 0);
}

void toy_ticket_lock(struct toy_program *p, unsigned threads, unsigned rounds)
{
	enum { NEXT, SERVED, TICKET = 2, LEFT = 3 }; /* SERVED counts down: the thread's turn is when the sum is 0 */
	p->threads = threads + 1;
	toy_main(p);
	for (unsigned t = 1; t <= threads; t++)
		for (unsigned k = 0; k < rounds; k++) {
			toy_add(p, t, TOY_ADD, NEXT, 1, TICKET + 1, 0, 0);
			int loop = p->len[t];
			toy_add(p, t, TOY_LOAD, LEFT, SERVED, 0, 0, 0);
			toy_spins(p, t);
			toy_add(p, t, TOY_SUM, LEFT, TICKET, 0, 0, 0);
			toy_add(p, t, TOY_SKIP_EQ, LEFT, 0, 1, 0, 0);
			toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
			toy_add(p, t, TOY_ADD, SERVED, -1, 0, 0, 0);
		}
}

void toy_print(const struct toy_program *p)
{
	static const char *const orders[] = {"", ".release", ".drains"}, *const names[] = {
		"end", "load", "store", "add", "xchg", "cas", "lock", "unlock", "trylock", "wait", "timedwait", "signal",
		"broadcast", "semwait", "post", "semtry", "rdlock", "wrlock", "rdunlock", "wrunlock", "tryrd",
		"trywr", "barrier_init", "barrier", "once", "destroy", "futex_wait", "futex_wake", "spawn", "join", "exit", "yield", "sleep",
		"fence", "choose", "assume_eq", "assume_ne", "atomic_begin", "atomic_end", "explore_begin", "explore_end", "release_fence", "set", "addmod", "sum", "skip_eq", "skip_ne", "jump", "die_eq"};
	printf("program %s %s spurious=%u sem={%d,%d,%d,%d}\n", p->name ? p->name : "?", memory_model_text(p->model),
		p->spurious, p->sem_value[0], p->sem_value[1], p->sem_value[2], p->sem_value[3]);
	for (unsigned t = 0; t < p->threads; t++) {
		printf("  thread %u:", t);
		for (unsigned i = 0; i < p->len[t]; i++) {
			const struct toy_instr *x = &p->code[t][i];
			printf(" %s%s%s", names[x->op], x->spins || x->waits ? "!" : "", orders[x->order]);
			if (x->size)
				printf(":%u", x->size);
			printf("(%d,%d,%d,%d,%d)", x->a, x->b, x->c, x->d, x->e);
		}
		printf("\n");
	}
}

void toy_init(struct toy *t, const struct toy_program *p)
{
	memset(t, 0, offsetof(struct toy, arena));
	t->p = p;
	thread_names_init(&t->names);
	t->trace.cap = TOY_TRACE;
	t->trace.event = t->event;
	t->trace.pending = t->pending;
	t->trace.alts = t->alts;
	t->trace.memory = &t->memory;
	t->trace.await = &t->await;
}

void toy_forget(struct toy *t)
{
	if (t->await.nodes)
		memset(&t->await, 0, sizeof t->await);
	t->regions = 0;
}

/* ---- executing ---- */

static int64_t *reg(struct toy_thread *x, int r)
{
	return &x->reg[r & (TOY_REGS - 1)];
}

/* ---- memory ---- */

/* The bytes that an instruction accesses, as an offset into memory. */
struct place {
	unsigned at, size;
};

static struct place place_of(const struct toy_thread *x, const struct toy_instr *i)
{
	int base = i->op == TOY_LOAD ? i->b : i->a, y = i->op == TOY_LOAD ? i->c : i->op == TOY_CAS ? i->e : 0;
	unsigned at = (unsigned)(base + (y ? x->reg[(y - 1) & (TOY_REGS - 1)] : 0));
	if (i->op == TOY_FUTEX_WAIT || i->op == TOY_FUTEX_WAKE)
		return (struct place){ at % TOY_VARS * 8, 4 };
	return i->size ? (struct place){ at % (8 * TOY_VARS - 255), i->size } : (struct place){ at % TOY_VARS * 8, 8 };
}

/* The bytes that stand for number n: it itself, or each byte is n. */
static const uint8_t *bytes_of(const struct toy_instr *i, int64_t n)
{
	static _Thread_local uint8_t b[256];
	memset(b, (int)n, sizeof b);
	if (!i->size)
		memcpy(b, &n, sizeof n);
	return b;
}

static int64_t number_at(const struct toy *t, const struct toy_instr *i, struct place at)
{
	int64_t n = 0;
	if (!i->size)
		memcpy(&n, t->mem + at.at, sizeof n);
	for (unsigned k = 0; k < i->size; k++)
		n += t->mem[at.at + k];
	return n;
}

static void name_memory(struct toy *t, struct place at, object_id obj[2], uint8_t *span)
{
	INVARIANT(memory_name(&t->memory, TOY_BASE + at.at, at.size, obj, span), "too many pages");
}

static void *memory(void *ctx, uint64_t addr, uint32_t size)
{
	return ((struct toy *)ctx)->mem + (addr - TOY_BASE);
}

static bool futex_matches(void *ctx, const struct op *op)
{
	const struct toy *t = ctx;
	struct object_info info;
	uint32_t word;
	world_object_info(t->world, op->obj[0], &info);
	memcpy(&word, t->mem + (info.addr - TOY_BASE), sizeof word);
	return word == (uint32_t)op->arg[0];
}

/* ---- instructions ---- */

static object_id object(struct toy *t, enum object_kind kind, unsigned n)
{
	return world_object(t->world, kind, n + 1);
}

static const uint8_t kinds[] = {
	[TOY_LOAD] = EV_LOAD, [TOY_STORE] = EV_STORE, [TOY_ADD] = EV_RMW, [TOY_XCHG] = EV_RMW, [TOY_CAS] = EV_RMW,
	[TOY_LOCK] = EV_MUTEX_LOCK, [TOY_UNLOCK] = EV_MUTEX_UNLOCK, [TOY_TRYLOCK] = EV_MUTEX_TRYLOCK,
	[TOY_WAIT] = EV_COND_WAIT, [TOY_TIMEDWAIT] = EV_COND_WAIT, [TOY_SIGNAL] = EV_COND_SIGNAL,
	[TOY_BROADCAST] = EV_COND_BROADCAST, [TOY_SEMWAIT] = EV_SEM_WAIT, [TOY_POST] = EV_SEM_POST,
	[TOY_SEMTRY] = EV_SEM_TRYWAIT, [TOY_RDLOCK] = EV_RW_RDLOCK, [TOY_WRLOCK] = EV_RW_WRLOCK,
	[TOY_RDUNLOCK] = EV_RW_RDUNLOCK, [TOY_WRUNLOCK] = EV_RW_WRUNLOCK, [TOY_TRYRD] = EV_RW_TRYRDLOCK,
	[TOY_TRYWR] = EV_RW_TRYWRLOCK, [TOY_BARRIER_INIT] = EV_BARRIER_INIT, [TOY_BARRIER] = EV_BARRIER_ARRIVE,
	[TOY_ONCE] = EV_ONCE_ENTER, [TOY_FUTEX_WAIT] = EV_FUTEX_WAIT, [TOY_FUTEX_WAKE] = EV_FUTEX_WAKE,
	[TOY_SPAWN] = EV_THREAD_CREATE, [TOY_JOIN] = EV_THREAD_JOIN,
	[TOY_EXIT] = EV_EXIT, [TOY_YIELD] = EV_YIELD, [TOY_SLEEP] = EV_SLEEP,
	[TOY_FENCE] = EV_FENCE, [TOY_CHOOSE] = EV_CHOOSE, [TOY_ASSUME_EQ] = EV_ASSUME, [TOY_ASSUME_NE] = EV_ASSUME,
	[TOY_ATOMIC_BEGIN] = EV_ATOMIC_BEGIN, [TOY_ATOMIC_END] = EV_ATOMIC_END, [TOY_EXPLORE_BEGIN] = EV_EXPLORE_BEGIN,
	[TOY_EXPLORE_END] = EV_EXPLORE_END,
};

static const uint8_t object_kinds[] = {
	[TOY_LOCK] = OBJ_MUTEX, [TOY_UNLOCK] = OBJ_MUTEX, [TOY_TRYLOCK] = OBJ_MUTEX, [TOY_WAIT] = OBJ_COND,
	[TOY_TIMEDWAIT] = OBJ_COND, [TOY_SIGNAL] = OBJ_COND, [TOY_BROADCAST] = OBJ_COND, [TOY_SEMWAIT] = OBJ_SEM,
	[TOY_POST] = OBJ_SEM, [TOY_SEMTRY] = OBJ_SEM, [TOY_RDLOCK] = OBJ_RWLOCK, [TOY_WRLOCK] = OBJ_RWLOCK,
	[TOY_RDUNLOCK] = OBJ_RWLOCK, [TOY_WRUNLOCK] = OBJ_RWLOCK, [TOY_TRYRD] = OBJ_RWLOCK,
	[TOY_TRYWR] = OBJ_RWLOCK, [TOY_BARRIER_INIT] = OBJ_BARRIER, [TOY_BARRIER] = OBJ_BARRIER,
	[TOY_ONCE] = OBJ_ONCE,
};

static const uint8_t destroy_kinds[] = {
	[OBJ_MUTEX] = EV_MUTEX_DESTROY, [OBJ_COND] = EV_COND_DESTROY, [OBJ_RWLOCK] = EV_RW_DESTROY, [OBJ_SEM] = EV_SEM_DESTROY,
	[OBJ_BARRIER] = EV_BARRIER_DESTROY,
};

static bool may_be_timed(unsigned op)
{
	return op == TOY_SLEEP || op == TOY_TIMEDWAIT || op == TOY_TRYLOCK || op == TOY_SEMTRY || op == TOY_TRYRD || op == TOY_TRYWR || op == TOY_FUTEX_WAIT;
}

static struct op make_op(struct toy *t, struct toy_thread *x, const struct toy_instr *i)
{
	struct op op = {.kind = kinds[i->op], .deadline = OP_NO_DEADLINE};
	if (i->op < sizeof object_kinds && object_kinds[i->op])
		op.obj[0] = object(t, object_kinds[i->op], (unsigned)i->a);
	struct place at = place_of(x, i);
	object_id word[2];
	switch (i->op) {
	case TOY_CAS:
		op.type = memory_fingerprint(bytes_of(i, i->b), at.size);
		/* fall through */
	case TOY_LOAD:
	case TOY_STORE:
	case TOY_ADD:
	case TOY_XCHG:
		name_memory(t, at, op.obj, &op.span);
		op.arg[0] = TOY_BASE + at.at;
		op.arg[1] = at.size;
		op.flags = i->order == TOY_RELEASE ? OPF_RELEASE : i->order == TOY_DRAINS ? OPF_DRAINS : 0;
		break;
	case TOY_FUTEX_WAIT:
		name_memory(t, at, word, &op.span);
		op.obj[1] = word[0];
		/* fall through */
	case TOY_FUTEX_WAKE:
		op.obj[0] = world_object(t->world, OBJ_FUTEX, TOY_BASE + at.at);
		op.arg[0] = (uint64_t)i->b;
		break;
	case TOY_WAIT:
	case TOY_TIMEDWAIT:
		op.obj[1] = object(t, OBJ_MUTEX, (unsigned)i->b);
		op.flags = i->op == TOY_TIMEDWAIT ? OPF_TIMED : 0;
		op.deadline = i->op == TOY_TIMEDWAIT ? 1000 : OP_NO_DEADLINE;
		break;
	case TOY_SEMWAIT:
	case TOY_POST:
	case TOY_SEMTRY:
		op.arg[1] = (uint64_t)t->p->sem_value[i->a] + 1;
		break;
	case TOY_BARRIER_INIT:
		op.arg[0] = (uint64_t)i->b;
		break;
	case TOY_DESTROY:
		op.kind = destroy_kinds[i->b];
		op.obj[0] = object(t, (enum object_kind)i->b, (unsigned)i->a);
		break;
	case TOY_JOIN:
		op.obj[0] = world_thread_object(t->world, t->id[i->a]);
		break;
	case TOY_EXIT:
		op.arg[0] = (uint64_t)i->a;
		break;
	case TOY_CHOOSE:
		op.arg[0] = (uint64_t)choose_result((struct chosen){ (uint32_t)i->b, 0, (uint32_t)i->b });
		break;
	default:
		break;
	}
	if ((t->p->patience || t->p->discrete_time) && may_be_timed(i->op) && i->d) {
		op.flags |= OPF_TIMED;
		op.deadline = world_now(t->world, t->id[x - t->thread]) + (uint64_t)i->d;
	}
	return op;
}

/* ---- spin loops ---- */

static uint64_t state_of(const struct toy *t, unsigned k, uint64_t more)
{
	uint64_t h = (k << 8 | t->thread[k].pc) + more;
	for (unsigned r = 0; r < TOY_REGS && !(t->blind && t->p->code[k][t->thread[k].pc].waits); r++)
		h = mix64(h) ^ (uint64_t)t->thread[k].reg[r];
	return mix64(h) | 1;
}

static uint32_t node_of(struct toy *t, unsigned k, const struct toy_instr *i, const struct op *op)
{
	struct await_node node = {.state = op->state, .addr = op->arg[0], .pc = (k << 8 | t->thread[k].pc) + 1,
		.size = (uint32_t)op->arg[1], .expected = op->type, .what = kinds[i->op]};
	return await_node(&t->await, &node);
}

/* The node that thread k comes to when it has left its loop. */
static uint32_t landing(struct toy *t, unsigned k)
{
	struct await_node node = {.state = state_of(t, k, (uint64_t)t->thread[k].wrote << 16)};
	return await_node(&t->await, &node);
}

/* Thread k announces op: is that a step of a spin loop, or where the loop was left? */
static void learn(struct toy *t, unsigned k, const struct toy_instr *i, struct op *op)
{
	struct toy_thread *x = &t->thread[k];
	uint32_t to = 0;
	if (op->kind == EV_YIELD)
		return;
	if (i && i->spins) {
		op->state = state_of(t, k, 0);
		op->flags |= OPF_AWAIT;
		to = node_of(t, k, i, op);
	}
	if (x->node && to && x->wrote == x->found)
		await_discover(&t->await, x->node, x->found, to);
	else if (x->node && !await_next(&t->await, x->node, x->found))
		await_land(&t->await, x->node, x->found, landing(t, k));
	x->node = 0;
}

/* Thread k stops running: it is about to do op. */
static void announce(struct toy *t, unsigned k, const struct op *op)
{
	world_hide_buffer(t->world, t->id[k]);
	t->regions |= op->kind == EV_EXPLORE_BEGIN ? REGION_EXPLORE : op->kind == EV_ATOMIC_BEGIN ? REGION_ATOMIC : 0;
	world_announce(t->world, t->id[k], op);
}

/* Fences are events only where something is buffered, assumptions only where they do not hold. */
static bool nothing_to_do(const struct toy *t, struct toy_thread *x, const struct toy_instr *i, thread_id id)
{
	if (i->op == TOY_FENCE)
		return !world_fence_needed(t->world, id);
	if (i->op == TOY_ASSUME_EQ || i->op == TOY_ASSUME_NE)
		return (*reg(x, i->a) == i->b) == (i->op == TOY_ASSUME_EQ);
	return false;
}

/* Runs local instructions of thread k, whose buffer is shown, up to its next visible one, and announces that. */
static void run_local(struct toy *t, unsigned k)
{
	struct toy_thread *x = &t->thread[k];
	for (; x->pc < t->p->len[k]; x->pc++) {
		const struct toy_instr *i = &t->p->code[k][x->pc];
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
		case TOY_SKIP_NE:
			if ((*reg(x, i->a) == i->b) == (i->op == TOY_SKIP_EQ))
				x->pc += (unsigned)i->c;
			break;
		case TOY_JUMP:
			x->pc = (unsigned)i->a - 1;
			break;
		case TOY_DIE_EQ:
			if (*reg(x, i->a) == i->b) {
				t->dead = true;
				world_hide_buffer(t->world, t->id[k]);
				return;
			}
			break;
		case TOY_RELEASE_FENCE:
			world_release_fence(t->world, t->id[k]);
			break;
		default: {
			if (nothing_to_do(t, x, i, t->id[k]))
				break;
			struct op op = make_op(t, x, i);
			learn(t, k, i, &op);
			if (i->waits)
				op.state = state_of(t, k, 0);
			announce(t, k, &op);
			return;
		}
		}
	}
	struct op op = {.kind = k ? EV_THREAD_EXIT : EV_EXIT, .deadline = OP_NO_DEADLINE};
	if (k)
		op.obj[0] = world_thread_object(t->world, t->id[k]);
	learn(t, k, NULL, &op);
	announce(t, k, &op);
}

static void toy_preview(const void *ctx, struct choice c, struct event *out)
{
	const struct toy *t = ctx;
	world_preview(t->world, c, out);
}

static uint64_t toy_object_name(const void *ctx, object_id o)
{
	return world_object_name(((const struct toy *)ctx)->world, o);
}

/* The visible instruction was performed: its effect on values. */
static void effect(struct toy *t, struct toy_thread *x, const struct toy_instr *i, const struct step *st)
{
	struct place at = place_of(x, i);
	uint8_t *m = t->mem + at.at;
	int64_t found = number_at(t, i, at);
	switch (i->op) {
	case TOY_LOAD:
		*reg(x, i->a) = found;
		break;
	case TOY_STORE:
		memcpy(m, bytes_of(i, i->b + (i->c ? *reg(x, i->c - 1) : 0)), at.size);
		break;
	case TOY_ADD:
		for (unsigned k = 0; k < i->size; k++)
			m[k] = (uint8_t)(m[k] + i->b);
		if (!i->size)
			memcpy(m, bytes_of(i, found + i->b), at.size);
		if (i->c)
			*reg(x, i->c - 1) = found;
		break;
	case TOY_XCHG:
		memcpy(m, bytes_of(i, i->b), at.size);
		*reg(x, i->c) = found;
		break;
	case TOY_CAS:
		*reg(x, i->d) = memcmp(m, bytes_of(i, i->b), at.size) == 0;
		if (*reg(x, i->d))
			memcpy(m, bytes_of(i, i->c), at.size);
		break;
	case TOY_TRYLOCK:
	case TOY_SEMTRY:
	case TOY_TRYRD:
	case TOY_TRYWR:
		*reg(x, i->b) = st->result == 0;
		break;
	case TOY_TIMEDWAIT:
		*reg(x, i->c) = st->result == ETIMEDOUT;
		break;
	case TOY_CHOOSE:
		*reg(x, i->a) = choose_chosen((int32_t)st->result).first;
		break;
	default:
		break;
	}
}

static void effect_in_loop(struct toy *t, unsigned k, const struct toy_instr *i, const struct step *st)
{
	struct toy_thread *x = &t->thread[k];
	struct place at = place_of(x, i);
	if (i->spins) {
		x->node = await_find(&t->await, state_of(t, k, 0));
		x->found = memory_fingerprint(t->mem + at.at, at.size);
	}
	effect(t, x, i, st);
	x->wrote = memory_fingerprint(t->mem + at.at, at.size);
}

/* What thread k has announced is performed without an event (sched/world.h, world_silent). */
static void pass(struct toy *t, unsigned k)
{
	struct toy_thread *x = &t->thread[k];
	struct step none = {0};
	world_pass(t->world, t->id[k]);
	world_show_buffer(t->world, t->id[k]);
	effect_in_loop(t, k, &t->p->code[k][x->pc], &none);
	x->pc++;
	run_local(t, k);
}

static void completed(struct toy *t, unsigned k, const struct step *st)
{
	struct toy_thread *x = &t->thread[k];
	world_show_buffer(t->world, t->id[k]);
	if (st->event.kind == EV_THREAD_START) {
		run_local(t, k);
		return;
	}
	const struct toy_instr *i = &t->p->code[k][x->pc];
	if (i->op == TOY_ONCE && st->event.kind == EV_ONCE_ENTER && st->result == 1) {
		struct op op = {.kind = EV_ONCE_DONE, .deadline = OP_NO_DEADLINE};
		op.obj[0] = object(t, OBJ_ONCE, (unsigned)i->a);
		announce(t, k, &op);
		return;
	}
	if (st->event.kind == EV_CHOOSE && choose_chosen((int32_t)st->result).count > 1) {
		struct op op = {.kind = EV_CHOOSE, .arg = {(uint64_t)st->result}, .deadline = OP_NO_DEADLINE};
		announce(t, k, &op);
		return;
	}
	effect_in_loop(t, k, i, st);
	if (i->op == TOY_SPAWN) {
		struct op op = {.kind = EV_THREAD_START, .deadline = OP_NO_DEADLINE};
		t->id[i->a] = st->created;
		t->index[st->created] = (uint8_t)i->a;
		world_announce(t->world, st->created, &op);
	}
	x->pc++;
	run_local(t, k);
}

static void start(struct toy *t)
{
	struct arena *a = arena_init(t->arena, TOY_ARENA);
	struct world_config config = {.names = &t->names, .trace = &t->trace, .spurious = t->p->spurious, .patience = t->p->patience, .discrete_time = t->p->discrete_time, .late_exit = t->p->late_exit, .barrier_first = t->p->barrier_first,
		.futex_matches = futex_matches, .memory = memory, .model = t->p->model,
		.ready_ctx = t, .await = &t->await, .regions = &t->known_regions, .rounds = &t->rounds};
	memset(t->thread, 0, sizeof t->thread);
	memset(t->mem, 0, sizeof t->mem);
	for (unsigned k = 0; k < TOY_THREADS; k++)
		t->id[k] = NO_THREAD;
	t->id[0] = 0;
	t->index[0] = 0;
	t->dead = t->over = t->yielded = false;
	t->trace.n = 0;
	t->known_regions = t->regions;
	t->world = world_init(a, &config);
	INVARIANT(t->world, "no world");
	world_show_buffer(t->world, 0);
	run_local(t, 0);
}

static void die(struct toy *t, thread_id who)
{
	t->event[t->trace.n++] = (struct event){.thread = who, .kind = EV_DEATH};
}

/* What comes before choice c without an event. */
static void pass_loops(struct toy *t, struct choice c)
{
	while (c.alt == ALT_NORMAL && world_silent(t->world, c.thread))
		pass(t, t->index[c.thread]);
	INVARIANT(!world_diverged(t->world, c.thread), "a spin loop goes elsewhere");
}

enum run_verdict toy_execute(struct toy *t, toy_pick pick, toy_observe observe, void *ctx)
{
	thread_id current = NO_THREAD;
	struct choice choices[64];
	uint32_t max = t->max_steps ? t->max_steps : TOY_TRACE - 2;
	for (start(t); !t->dead && !t->over;) {
		unsigned n = world_choices(t->world, choices, 64);
		if (n == 0 && (n = world_exit(t->world, choices)) == 0)
			n = world_late(t->world, choices);
		if (n == 0 && world_rounds_covered(t->world))
			return RUN_COVERED;
		if (n == 0 && world_rounds_go_on(t->world))
			continue;
		if (n == 0)
			return trace_assumed(&t->trace) ? RUN_ASSUMED : RUN_DEADLOCK;
		if (t->trace.n >= max) {
			t->cut++;
			return RUN_CUT;
		}
		if (t->kill_at && t->trace.n + 1 >= t->kill_at) {
			die(t, current == NO_THREAD ? 0 : agent_owner(&t->names, current));
			return RUN_FAILED;
		}
		struct sched_view view = {choices, n, current, t->yielded, world_atomic(t->world), world_interrupted(t->world),
			world_closed(t->world), &t->trace, toy_preview, toy_object_name, t};
		int c = pick(ctx, &view);
		if (c < 0)
			return RUN_CUT;
		struct step st;
		if (!is_agent(choices[c].thread))
			pass_loops(t, choices[c]);
		world_step(t->world, choices[c], &st);
		current = choices[c].thread;
		t->event[t->trace.n++] = st.event;
		t->yielded = st.event.kind == EV_YIELD;
		t->steps++;
		if (observe)
			observe(ctx, &st.event);
		t->over = st.outcome == STEP_OVER;
		if (st.misuse)
			t->dead = true;
		else if (st.outcome == STEP_DONE)
			completed(t, t->index[current], &st);
	}
	if (t->dead)
		die(t, agent_owner(&t->names, current));
	return t->dead ? RUN_FAILED : trace_assumed(&t->trace) ? RUN_ASSUMED : RUN_OK;
}

static int strategy_pick(void *ctx, const struct sched_view *view)
{
	struct strategy *s = ctx;
	return s->ops->pick(s->self, view);
}

static void strategy_observe(void *ctx, const struct event *e)
{
	struct strategy *s = ctx;
	s->ops->observe(s->self, e);
}

bool toy_run(struct toy *t, struct strategy *s, enum run_verdict *verdict)
{
	if (!s->ops->begin(s->self))
		return false;
	*verdict = toy_execute(t, strategy_pick, strategy_observe, s);
	s->ops->end(s->self, &t->trace, *verdict);
	return true;
}
