/* A world driven by hand: see lib_world.h. The world's self-check runs after every step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/lib_valid.h"
#include "tests/unit/lib_world.h"

struct world *W;
struct trace TRACE;
struct step ST;
bool READY;

static struct thread_names names;
static struct event pending[MAX_IDS];
static uint8_t pending_alts[MAX_IDS];
static _Alignas(16) char memory[4 << 20]; /* for thousands of objects, also with what a sanitizer puts around blocks */

static bool is_ready(void *ctx, thread_id t, const struct op *op)
{
	return READY;
}

static int setup(struct world_config config)
{
	config.names = &names;
	config.trace = &TRACE;
	config.ready = is_ready;
	thread_names_init(&names);
	TRACE = (struct trace){ .pending = pending, .alts = pending_alts };
	READY = true;
	W = world_init(arena_init(memory, sizeof memory), &config);
	if (!W)
		return -1;
	for (unsigned i = 1; i < 4; i++) {
		run(0, OP(EV_THREAD_CREATE, 0));
		assert_int_equal(ST.created, i);
	}
	return 0;
}

int world_setup(void **state)
{
	return setup((struct world_config){ 0 });
}

int world_setup_spurious(void **state)
{
	return setup((struct world_config){ .settings.spurious = 1 });
}

int world_setup_patient(void **state)
{
	return setup((struct world_config){ .settings.patience = 500 });
}

int world_setup_discrete(void **state)
{
	return setup((struct world_config){ .settings.discrete_time = true });
}

int world_setup_first(void **state)
{
	return setup((struct world_config){ .settings.barrier_first = true });
}

object_id O(enum object_kind kind, unsigned n)
{
	return kind == OBJ_THREAD ? world_thread_object(W, (thread_id)n) : world_object(W, kind, 0x1000 + 8 * n);
}

struct op OP(unsigned kind, object_id o)
{
	return (struct op){ .kind = (uint8_t)kind, .obj = { o }, .deadline = OP_NO_DEADLINE, .pc = 0x400 };
}

struct op OP2(unsigned kind, object_id o, object_id o2)
{
	struct op op = OP(kind, o);
	op.obj[1] = o2;
	return op;
}

struct op TIMED(struct op op)
{
	op.flags |= OPF_TIMED;
	op.deadline = 1000;
	return op;
}

struct op TYPED(struct op op, unsigned type)
{
	op.type = type;
	return op;
}

struct op ARG(struct op op, uint64_t a0, uint64_t a1)
{
	op.arg[0] = a0;
	op.arg[1] = a1;
	return op;
}

struct op CANCELPOINT(struct op op)
{
	op.flags |= OPF_CANCELPOINT;
	return op;
}

void say(unsigned t, struct op op)
{
	world_announce(W, (thread_id)t, &op);
	world_valid(W);
}

unsigned alts(unsigned t)
{
	return world_alternatives(W, (thread_id)t);
}

int64_t go_alt(unsigned t, unsigned alt)
{
	struct choice c = { .thread = (thread_id)t, .alt = (uint8_t)alt };
	struct event e;
	assert_true(alts(t) & 1u << alt);
	world_preview(W, c, &e);
	world_step(W, c, &ST);
	assert_memory_equal(&e, &ST.event, sizeof e);
	world_valid(W);
	return ST.result;
}

int64_t go(unsigned t)
{
	return go_alt(t, ALT_NORMAL);
}

int64_t run(unsigned t, struct op op)
{
	say(t, op);
	do
		go(t);
	while (ST.outcome == STEP_MORE);
	assert_int_equal(ST.misuse, MISUSE_NONE);
	return ST.result;
}

void blocked(unsigned t)
{
	assert_int_equal(alts(t), 0);
	assert_non_null(world_pending(W, (thread_id)t));
}

int misuse(unsigned t, struct op op)
{
	say(t, op);
	go(t);
	assert_int_equal(ST.misuse_obj, op.obj[0]);
	return ST.misuse;
}

void lock(unsigned t, unsigned m)
{
	assert_int_equal(run(t, OP(EV_MUTEX_LOCK, O(OBJ_MUTEX, m))), 0);
}

void unlock(unsigned t, unsigned m)
{
	assert_int_equal(run(t, OP(EV_MUTEX_UNLOCK, O(OBJ_MUTEX, m))), 0);
}
