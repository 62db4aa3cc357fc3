/* What the instructions of the toy machine mean: see lib_toy_code.h. */
#include "tests/unit/lib_toy_code.h"

#include <errno.h>
#include <string.h>

#include "base/check.h"
#include "sched/choice.h"

int64_t *toy_reg(struct toy_thread *x, int r)
{
	return &x->reg[r & (TOY_REGS - 1)];
}

struct toy_place toy_place(const struct toy_thread *x, const struct toy_instr *i)
{
	int base = i->op == TOY_LOAD ? i->b : i->a, y = i->op == TOY_LOAD ? i->c : i->op == TOY_CAS ? i->e : 0;
	unsigned at = (unsigned)(base + (y ? x->reg[(y - 1) & (TOY_REGS - 1)] : 0));
	if (i->op == TOY_FUTEX_WAIT || i->op == TOY_FUTEX_WAKE)
		return (struct toy_place){ at % TOY_VARS * 8, 4 };
	return i->size ? (struct toy_place){ at % (8 * TOY_VARS - 255), i->size } : (struct toy_place){ at % TOY_VARS * 8, 8 };
}

/* The bytes that represent number n: n itself as 8 bytes, or every byte is n. */
static const uint8_t *bytes_of(const struct toy_instr *i, int64_t n)
{
	static _Thread_local uint8_t b[256];
	memset(b, (int)n, sizeof b);
	if (!i->size)
		memcpy(b, &n, sizeof n);
	return b;
}

static int64_t number_at(const struct toy *t, const struct toy_instr *i, struct toy_place at)
{
	int64_t n = 0;
	if (!i->size)
		memcpy(&n, t->mem + at.at, sizeof n);
	for (unsigned k = 0; k < i->size; k++)
		n += t->mem[at.at + k];
	return n;
}

static void name_memory(struct toy *t, struct toy_place at, object_id obj[2], uint8_t *span)
{
	INVARIANT(memory_name(&t->memory, TOY_BASE + at.at, at.size, obj, span), "too many pages");
}

object_id toy_object(struct toy *t, enum object_kind kind, unsigned n)
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

struct op toy_op_of(struct toy *t, struct toy_thread *x, const struct toy_instr *i)
{
	struct op op = {.kind = kinds[i->op], .deadline = OP_NO_DEADLINE};
	if (i->op < sizeof object_kinds && object_kinds[i->op])
		op.obj[0] = toy_object(t, object_kinds[i->op], (unsigned)i->a);
	struct toy_place at = toy_place(x, i);
	object_id word[2];
	if (i->op == TOY_LOCK)
		op.pc = (uint64_t)(x - t->thread + 1) << 8 | x->pc;
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
		op.adds = i->order == TOY_COMMUTES;
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
		op.obj[1] = toy_object(t, OBJ_MUTEX, (unsigned)i->b);
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
		op.obj[0] = toy_object(t, (enum object_kind)i->b, (unsigned)i->a);
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
	case TOY_RDLOCK:
	case TOY_WRLOCK:
	case TOY_TRYRD:
	case TOY_TRYWR:
	case TOY_RDUNLOCK:
	case TOY_WRUNLOCK:
		op.type = t->p->rw_type[i->a & 1];
		if (i->c && (i->op == TOY_TRYRD || i->op == TOY_TRYWR)) {
			op.flags |= OPF_TIMED;
			op.deadline = 1000;
		}
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

static void add_number(uint8_t *m, unsigned size, int n)
{
	for (unsigned k = 0; k < size; k++) {
		n += m[k];
		m[k] = (uint8_t)n;
		n >>= 8; /* the carry; it is negative for a borrow */
	}
}

void toy_effect(struct toy *t, struct toy_thread *x, const struct toy_instr *i, const struct step *st)
{
	struct toy_place at = toy_place(x, i);
	uint8_t *m = t->mem + at.at;
	int64_t found = number_at(t, i, at);
	switch (i->op) {
	case TOY_LOAD:
		*toy_reg(x, i->a) = found;
		break;
	case TOY_STORE:
		memcpy(m, bytes_of(i, i->b + (i->c ? *toy_reg(x, i->c - 1) : 0)), at.size);
		break;
	case TOY_ADD:
		if (i->order == TOY_CARRIES || i->order == TOY_COMMUTES) {
			add_number(m, at.size, i->b);
			break;
		}
		for (unsigned k = 0; k < i->size; k++)
			m[k] = (uint8_t)(m[k] + i->b);
		if (!i->size)
			memcpy(m, bytes_of(i, found + i->b), at.size);
		if (i->c)
			*toy_reg(x, i->c - 1) = found;
		break;
	case TOY_XCHG:
		memcpy(m, bytes_of(i, i->b), at.size);
		*toy_reg(x, i->c) = found;
		break;
	case TOY_CAS:
		*toy_reg(x, i->d) = memcmp(m, bytes_of(i, i->b), at.size) == 0;
		if (*toy_reg(x, i->d))
			memcpy(m, bytes_of(i, i->c), at.size);
		break;
	case TOY_TRYLOCK:
	case TOY_SEMTRY:
	case TOY_TRYRD:
	case TOY_TRYWR:
		*toy_reg(x, i->b) = st->result == 0;
		break;
	case TOY_TIMEDWAIT:
		*toy_reg(x, i->c) = st->result == ETIMEDOUT;
		break;
	case TOY_CHOOSE:
		*toy_reg(x, i->a) = choose_chosen((int32_t)st->result).first;
		break;
	default:
		break;
	}
}
