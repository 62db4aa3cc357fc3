/* The toy machine: see lib_toy.h. */
#include "tests/unit/lib_toy.h"

#include <string.h>

#include "base/check.h"
#include "base/hash.h"
#include "sched/choice.h"
#include "tests/unit/lib_toy_code.h"

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

/* ---- the callbacks of the world ---- */

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

/* ---- spin loops ---- */

static uint64_t state_of(const struct toy *t, unsigned k, uint64_t more)
{
	uint64_t h = (k << 8 | t->thread[k].pc) + more;
	for (unsigned r = 0; r < TOY_REGS && !(t->blind && t->p->code[k][t->thread[k].pc].waits); r++)
		h = mix64(h) ^ (uint64_t)t->thread[k].reg[r];
	return mix64(h) | 1;
}

static uint32_t node_of(struct toy *t, unsigned k, const struct op *op)
{
	struct await_node node = {.state = op->state, .addr = op->arg[0], .pc = (k << 8 | t->thread[k].pc) + 1,
		.size = (uint32_t)op->arg[1], .expected = op->type, .what = op->kind};
	return await_node(&t->await, &node);
}

/* The node of the place where thread k has left its loop. */
static uint32_t landing(struct toy *t, unsigned k)
{
	struct await_node node = {.state = state_of(t, k, (uint64_t)t->thread[k].wrote << 16)};
	return await_node(&t->await, &node);
}

/* Thread k announces op. Records in the await table whether it stays in its spin loop or has left it. */
static void learn(struct toy *t, unsigned k, const struct toy_instr *i, struct op *op)
{
	struct toy_thread *x = &t->thread[k];
	uint32_t to = 0;
	if (op->kind == EV_YIELD)
		return;
	if (i && i->spins) {
		op->state = state_of(t, k, 0);
		op->flags |= OPF_AWAIT;
		to = node_of(t, k, op);
	}
	if (x->node && to && x->wrote == x->found)
		await_discover(&t->await, x->node, x->found, to);
	else if (x->node && !await_next(&t->await, x->node, x->found))
		await_land(&t->await, x->node, x->found, landing(t, k));
	x->node = 0;
}

/* Thread k stops running with op pending. */
static void announce(struct toy *t, unsigned k, const struct op *op)
{
	world_hide_buffer(t->world, t->id[k]);
	t->regions |= op->kind == EV_EXPLORE_BEGIN ? REGION_EXPLORE : op->kind == EV_ATOMIC_BEGIN ? REGION_ATOMIC : 0;
	world_announce(t->world, t->id[k], op);
}

/* A fence is an event only when something is buffered; an assumption only when it does not hold. */
static bool nothing_to_do(const struct toy *t, struct toy_thread *x, const struct toy_instr *i, thread_id id)
{
	if (i->op == TOY_FENCE)
		return !world_fence_needed(t->world, id);
	if (i->op == TOY_ASSUME_EQ || i->op == TOY_ASSUME_NE)
		return (*toy_reg(x, i->a) == i->b) == (i->op == TOY_ASSUME_EQ);
	return false;
}

/* Runs local instructions of thread k, whose buffer is shown, up to its next visible one, and announces that one. */
static void run_local(struct toy *t, unsigned k)
{
	struct toy_thread *x = &t->thread[k];
	for (; x->pc < t->p->len[k]; x->pc++) {
		const struct toy_instr *i = &t->p->code[k][x->pc];
		switch (i->op) {
		case TOY_SET:
			*toy_reg(x, i->a) = i->b;
			break;
		case TOY_ADDMOD:
			*toy_reg(x, i->a) = (*toy_reg(x, i->a) + i->b) % i->c;
			break;
		case TOY_SUM:
			*toy_reg(x, i->a) += *toy_reg(x, i->b);
			break;
		case TOY_SKIP_EQ:
		case TOY_SKIP_NE:
			if ((*toy_reg(x, i->a) == i->b) == (i->op == TOY_SKIP_EQ))
				x->pc += (unsigned)i->c;
			break;
		case TOY_JUMP:
			x->pc = (unsigned)i->a - 1;
			break;
		case TOY_DIE_EQ:
			if (*toy_reg(x, i->a) == i->b) {
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
			struct op op = toy_op_of(t, x, i);
			learn(t, k, i, &op);
			if (i->waits)
				op.state = state_of(t, k, 0);
			if (i->counts) {
				op.counts = 1;
				op.pc = toy_turn(k, x->pc);
			}
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

/* What the strategy sees of the event. */
static void show(const struct toy *t, struct event *e)
{
	if (t->claims_hidden && e->kind == EV_RW_WRWAIT)
		e->mode[0] = M_ENQ; /* independent of RDACQ and RDREL */
}

static void toy_preview(const void *ctx, struct choice c, struct event *out)
{
	const struct toy *t = ctx;
	world_preview(t->world, c, out);
	show(t, out);
}

static uint64_t toy_object_name(const void *ctx, object_id o)
{
	return world_object_name(((const struct toy *)ctx)->world, o);
}

static void effect_in_loop(struct toy *t, unsigned k, const struct toy_instr *i, const struct step *st)
{
	struct toy_thread *x = &t->thread[k];
	struct toy_place at = toy_place(x, i);
	if (i->spins) {
		x->node = await_find(&t->await, state_of(t, k, 0));
		x->found = memory_fingerprint(t->mem + at.at, at.size);
	}
	toy_effect(t, x, i, st);
	x->wrote = memory_fingerprint(t->mem + at.at, at.size);
}

/* Performs the pending operation of thread k without an event (sched/world.h, world_silent). */
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
		op.obj[0] = toy_object(t, OBJ_ONCE, (unsigned)i->a);
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
	struct world_config config = {.names = &t->names, .trace = &t->trace, .settings.spurious = t->p->spurious, .settings.patience = t->p->patience, .settings.discrete_time = t->p->discrete_time, .settings.late_exit = t->p->late_exit, .settings.barrier_first = t->p->barrier_first,
		.futex_matches = futex_matches, .memory = memory, .settings.model = t->p->model,
		.ready_ctx = t, .await = &t->await, .regions = &t->known_regions, .rounds = &t->rounds, .limits = t->limits, .endless = t->threads, .stops = &t->stops, .sections = t->sections};
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

/* Performs the operations before choice c that are no events. */
static void pass_loops(struct toy *t, struct choice c)
{
	while (c.alt == ALT_NORMAL && world_silent(t->world, c.thread))
		pass(t, t->index[c.thread]);
	INVARIANT(!world_diverged(t->world, c.thread), "a spin loop goes elsewhere");
}

/* The search leaves the running execution, which runs on. */
static void leave(struct toy *t)
{
	INVARIANT(t->trace.threads <= TOY_THREADS && !t->trace.agents, "too many threads");
	t->left.active = true;
	t->left.n = t->trace.n;
	t->left.threads = t->trace.threads;
	t->left.random = t->trace.n;
	memcpy(t->left.pending, t->pending, sizeof t->left.pending);
	memcpy(t->left.alts, t->alts, sizeof t->left.alts);
	world_rounds_go_on(t->world);
}

static int pick_any(struct toy *t, unsigned n)
{
	t->left.random = t->left.random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (int)((t->left.random >> 33) % n);
}

/* The execution that ran on is over. */
static enum run_verdict come_back(struct toy *t, enum run_verdict v)
{
	t->endless += !verdict_is_whole(v);
	t->deadlocks += v == RUN_DEADLOCK;
	t->cut -= v == RUN_CUT;
	t->trace.n = t->left.n;
	t->trace.threads = t->left.threads;
	memcpy(t->pending, t->left.pending, sizeof t->left.pending);
	memcpy(t->alts, t->left.alts, sizeof t->left.alts);
	t->left.active = false;
	return RUN_COVERED;
}

static enum run_verdict execute(struct toy *t, toy_pick pick, toy_observe observe, void *ctx)
{
	thread_id current = NO_THREAD;
	struct choice choices[64];
	uint32_t max = t->max_steps ? t->max_steps : TOY_TRACE - 2;
	for (start(t); !t->dead && !t->over;) {
		t->stops = !(t->falters && t->trace.n % 2);
		unsigned n = world_choices(t->world, choices, 64);
		bool covered = n == 0 && world_rounds_covered(t->world);
		if (n == 0 && !covered && (n = world_exit(t->world, choices)) == 0)
			n = world_late(t->world, choices);
		if (covered) {
			if (!t->run_on)
				return RUN_COVERED;
			leave(t);
			max = TOY_TRACE - 2;
			continue;
		}
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
			world_closed(t->world), &t->trace, toy_preview, toy_object_name, NULL, t, NULL};
		for (unsigned k = 0; k < t->trace.threads; k++)
			show(t, &t->pending[k]);
		int c = t->left.active ? pick_any(t, n) : pick(ctx, &view);
		if (c < 0)
			return RUN_CUT;
		struct step st;
		if (!is_agent(choices[c].thread))
			pass_loops(t, choices[c]);
		world_step(t->world, choices[c], &st);
		current = choices[c].thread;
		show(t, &st.event);
		t->event[t->trace.n++] = st.event;
		t->yielded = st.event.kind == EV_YIELD;
		t->steps++;
		if (observe && !t->left.active)
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

enum run_verdict toy_execute(struct toy *t, toy_pick pick, toy_observe observe, void *ctx)
{
	enum run_verdict v = execute(t, pick, observe, ctx);
	return t->left.active ? come_back(t, v) : v;
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
