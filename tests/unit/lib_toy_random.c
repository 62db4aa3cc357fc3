/* Random programs for the toy machine: see lib_toy_random.h. */
#include "tests/unit/lib_toy_random.h"

#include <stdlib.h>
#include <string.h>

struct gen {
	struct toy_program *p;
	unsigned features;
	uint64_t state;
};

static int rnd(struct gen *g, unsigned n)
{
	g->state = g->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (int)((uint32_t)(g->state >> 33) % n);
}

static void add(struct gen *g, unsigned t, enum toy_op op, int a, int b, int c)
{
	toy_add(g->p, t, op, a, b, c, 0, 0);
}

/* Adds a memory access. */
static void add_access(struct gen *g, unsigned t, enum toy_op op, int a, int b, int c, int d)
{
	static const uint8_t sizes[] = {1, 2, 4, 8, 8, 16, 40};
	toy_add(g->p, t, op, a, b, c, d, 0);
	if (!(g->features & TOY_F_BYTES))
		return;
	struct toy_instr *i = &g->p->code[t][g->p->len[t] - 1];
	unsigned size = sizes[rnd(g, op == TOY_LOAD || op == TOY_STORE ? sizeof sizes : 6)];
	int at = rnd(g, 3) * 8 + (size <= 4 && rnd(g, 2) ? rnd(g, 8) : 0);
	if (rnd(g, 8) == 0)
		at += 3; /* not aligned */
	*(op == TOY_LOAD ? &i->b : &i->a) = (int16_t)at;
	toy_sized(g->p, t, size);
}

static int operations(struct gen *g, unsigned t, int budget);

static int gen_load(struct gen *g, unsigned t, int budget)
{
	int r = rnd(g, 2);
	add_access(g, t, TOY_LOAD, r, rnd(g, 2), 0, 0);
	if (rnd(g, 3) || budget < 2)
		return 1;
	add(g, t, TOY_SKIP_EQ, r, rnd(g, 2), 1);
	add_access(g, t, TOY_STORE, rnd(g, 2), 1 + rnd(g, 2), 0, 0);
	return 2;
}

static int gen_rmw(struct gen *g, unsigned t)
{
	if ((g->features & TOY_F_ADDS) && rnd(g, 2)) {
		add_access(g, t, TOY_ADD, rnd(g, 2), rnd(g, 3) ? 1 + rnd(g, 2) : -1, 0, 0);
		toy_ordered(g->p, t, rnd(g, 5) ? TOY_COMMUTES : TOY_CARRIES);
		return 1;
	}
	if (rnd(g, 2))
		add_access(g, t, TOY_CAS, rnd(g, 2), rnd(g, 2), 1 + rnd(g, 2), rnd(g, 2));
	else if (rnd(g, 4))
		add_access(g, t, TOY_ADD, rnd(g, 2), 1, 0, 0);
	else
		add_access(g, t, TOY_XCHG, rnd(g, 2), 2, rnd(g, 2), 0);
	return 1;
}

static int gen_lock(struct gen *g, unsigned t, int budget)
{
	int m = rnd(g, 2), used = 2;
	add(g, t, TOY_LOCK, m, 0, 0);
	if (rnd(g, 2) && budget > 2) {
		used += operations(g, t, 1);
	} else if (rnd(g, 4) == 0) {
		add(g, t, TOY_LOCK, !m, 0, 0);
		add(g, t, TOY_UNLOCK, !m, 0, 0);
		used += 2;
	}
	add(g, t, TOY_UNLOCK, m, 0, 0);
	return used;
}

/* A section with one to three accesses. Variables 2 and 3 are those of mutexes 0 and 1, and are seldom used without. */
static int gen_section(struct gen *g, unsigned t)
{
	int m = rnd(g, 2), accesses = 1 + rnd(g, 3);
	bool locked = rnd(g, 8);
	if (locked)
		add(g, t, TOY_LOCK, m, 0, 0);
	for (int k = 0; k < accesses; k++) {
		int x = rnd(g, 4) ? 2 + m : rnd(g, 2), r = rnd(g, 2);
		if (rnd(g, 2)) {
			add(g, t, TOY_LOAD, r, x, 0);
			if (rnd(g, 3) == 0)
				add(g, t, TOY_SKIP_EQ, r, rnd(g, 2), 1);
		} else {
			add(g, t, TOY_STORE, x, 1 + rnd(g, 2), rnd(g, 3) == 0);
		}
	}
	add(g, t, TOY_SET, 2, 0, 0); /* a skip ends here at the latest */
	if (locked)
		add(g, t, TOY_UNLOCK, m, 0, 0);
	return 2;
}

static int gen_trylock(struct gen *g, unsigned t)
{
	int m = rnd(g, 2);
	add(g, t, TOY_TRYLOCK, m, 1, 0);
	add(g, t, TOY_SKIP_EQ, 1, 0, 1);
	add(g, t, TOY_UNLOCK, m, 0, 0);
	return 2;
}

static int gen_sem(struct gen *g, unsigned t)
{
	static const enum toy_op ops[] = {TOY_SEMWAIT, TOY_POST, TOY_SEMTRY};
	add(g, t, ops[rnd(g, 3)], rnd(g, 2), 1, 0);
	return 1;
}

/* A section with an access before or after an operation on a condition, or both. Waits have mutex 0; signals may have
   another one, or none. */
static int gen_cond_section(struct gen *g, unsigned t)
{
	int c = rnd(g, 4) == 0, what = rnd(g, 3), before = rnd(g, 2), x = rnd(g, 3) ? 2 : rnd(g, 2);
	bool locked = what == 0 || rnd(g, 4);
	int m = what && rnd(g, 3) == 0;
	if (locked)
		add(g, t, TOY_LOCK, m, 0, 0);
	if (before)
		add(g, t, rnd(g, 2) ? TOY_LOAD : TOY_STORE, rnd(g, 2) ? x : 0, x, 0);
	if (what)
		add(g, t, what == 1 ? TOY_SIGNAL : TOY_BROADCAST, c, 0, 0);
	else
		add(g, t, (g->features & TOY_F_TIMED) && rnd(g, 2) ? TOY_TIMEDWAIT : TOY_WAIT, c, 0, 1);
	if (!before || rnd(g, 3) == 0)
		add(g, t, TOY_STORE, x, 1 + rnd(g, 2), 0);
	if (locked)
		add(g, t, TOY_UNLOCK, m, 0, 0);
	return 2;
}

static int gen_cond(struct gen *g, unsigned t)
{
	if ((g->features & TOY_F_SECTIONS) && rnd(g, 4))
		return gen_cond_section(g, t);
	int c = rnd(g, 1 + (unsigned)rnd(g, 2));
	add(g, t, TOY_LOCK, 0, 0, 0);
	switch (rnd(g, 3)) {
	case 0:
		add(g, t, (g->features & TOY_F_TIMED) && rnd(g, 2) ? TOY_TIMEDWAIT : TOY_WAIT, c, 0, 1);
		break;
	case 1:
		add(g, t, TOY_SIGNAL, c, 0, 0);
		break;
	default:
		add(g, t, TOY_BROADCAST, c, 0, 0);
	}
	add(g, t, TOY_UNLOCK, 0, 0, 0);
	return 3;
}

static int gen_signal(struct gen *g, unsigned t)
{
	add(g, t, rnd(g, 2) ? TOY_SIGNAL : TOY_BROADCAST, 0, 0, 0);
	return 1;
}

static int gen_rwlock(struct gen *g, unsigned t, int budget)
{
	int kind = rnd(g, 4), used = 2;
	if (kind <= 1) {
		add(g, t, TOY_RDLOCK, 0, 0, 0);
		if (rnd(g, 2) && budget > 2)
			used += operations(g, t, 1);
		add(g, t, TOY_RDUNLOCK, 0, 0, 0);
	} else if (kind == 2) {
		add(g, t, TOY_WRLOCK, 0, 0, 0);
		add(g, t, TOY_WRUNLOCK, 0, 0, 0);
	} else {
		int shared = rnd(g, 2);
		add(g, t, shared ? TOY_TRYRD : TOY_TRYWR, 0, 1, 0);
		add(g, t, TOY_SKIP_EQ, 1, 0, 1);
		add(g, t, shared ? TOY_RDUNLOCK : TOY_WRUNLOCK, 0, 0, 0);
	}
	return used;
}

static int gen_rwlock_all(struct gen *g, unsigned t, int budget)
{
	int l = rnd(g, 4) == 0, kind = rnd(g, 8), used = 2, form = rnd(g, 2);
	bool write = kind >= 4;
	if (kind == 0 || kind == 4) {
		add(g, t, write ? TOY_TRYWR : TOY_TRYRD, l, 1, form);
		add(g, t, TOY_SKIP_EQ, 1, 0, 1);
		add(g, t, write ? TOY_WRUNLOCK : TOY_RDUNLOCK, l, 0, 0);
		return used;
	}
	add(g, t, write ? TOY_WRLOCK : TOY_RDLOCK, l, 0, 0);
	if (!write && budget > 3 && rnd(g, 2)) {
		add(g, t, TOY_RDLOCK, l, 0, 0);
		add(g, t, TOY_RDUNLOCK, l, 0, 0);
		used += 2;
	} else if (!write && budget > 2 && form) {
		used += operations(g, t, 1);
	}
	add(g, t, write ? TOY_WRUNLOCK : TOY_RDUNLOCK, l, 0, 0);
	return used;
}

static int gen_futex(struct gen *g, unsigned t)
{
	bool waits = rnd(g, 2);
	add(g, t, waits ? TOY_FUTEX_WAIT : TOY_FUTEX_WAKE, 0, waits ? rnd(g, 2) : 1 + rnd(g, 2), 0);
	return 1;
}

static void spin_access(struct gen *g, unsigned t, enum toy_op op, int a, int b, int c, int d)
{
	toy_add(g->p, t, op, a, b, c, d, 0);
	toy_spins(g->p, t);
}

/* Loops that wait for a value, or for the lock in variable x. They use registers 2 and 3. */
static int gen_spin(struct gen *g, unsigned t)
{
	int loop = g->p->len[t], x = rnd(g, 2), kind = rnd(g, 6);
	switch (kind) {
	case 0: /* until it is n */
	case 1: /* until it is not 0 */
		spin_access(g, t, TOY_LOAD, 2, x, 0, 0);
		add(g, t, kind ? TOY_SKIP_NE : TOY_SKIP_EQ, 2, kind ? 0 : rnd(g, 3), 1);
		add(g, t, TOY_JUMP, loop, 0, 0);
		return 1;
	case 2: /* until one of two is not 0 */
		spin_access(g, t, TOY_LOAD, 2, x, 0, 0);
		add(g, t, TOY_SKIP_NE, 2, 0, 3);
		spin_access(g, t, TOY_LOAD, 2, !x, 0, 0);
		add(g, t, TOY_SKIP_NE, 2, 0, 1);
		add(g, t, TOY_JUMP, loop, 0, 0);
		return 2;
	case 3:
		spin_access(g, t, TOY_XCHG, x, 1, 2, 0);
		add(g, t, TOY_SKIP_EQ, 2, 0, 1);
		add(g, t, TOY_JUMP, loop, 0, 0);
		break;
	case 4: /* test, then test-and-set */
		spin_access(g, t, TOY_LOAD, 2, x, 0, 0);
		add(g, t, TOY_SKIP_EQ, 2, 0, 1);
		add(g, t, TOY_JUMP, loop, 0, 0);
		/* fall through */
	default:
		spin_access(g, t, TOY_CAS, x, 0, 1, 3);
		add(g, t, TOY_SKIP_EQ, 3, 1, 1);
		add(g, t, TOY_JUMP, loop, 0, 0);
	}
	if (rnd(g, 4))
		add(g, t, TOY_STORE, x, 0, 0);
	return 2;
}

static int gen_choose(struct gen *g, unsigned t, int budget)
{
	static const int values[] = {2, 2, 2, 3, 3, 4, 5, 6};
	int r = rnd(g, 2), n = values[rnd(g, sizeof values / sizeof *values)];
	add(g, t, TOY_CHOOSE, r, n, 0);
	if (budget < 2 || rnd(g, 3) == 0)
		return 1;
	if (rnd(g, 2))
		add(g, t, TOY_STORE, rnd(g, 2), 0, r + 1);
	else {
		add(g, t, TOY_SKIP_EQ, r, rnd(g, (unsigned)n), 1);
		add(g, t, TOY_ADD, rnd(g, 2), 1, 0);
	}
	return 2;
}

static int gen_assume(struct gen *g, unsigned t)
{
	if (rnd(g, 2))
		add(g, t, TOY_LOAD, rnd(g, 2), rnd(g, 2), 0);
	add(g, t, rnd(g, 2) ? TOY_ASSUME_EQ : TOY_ASSUME_NE, rnd(g, 2), rnd(g, 2), 0);
	return 1;
}

static int gen_sleep(struct gen *g, unsigned t)
{
	static const int16_t length[] = {1000, 1000, 2000, 3000, 21000};
	add(g, t, TOY_SLEEP, 0, 0, 0);
	g->p->code[t][g->p->len[t] - 1].d = length[rnd(g, sizeof length / sizeof *length)];
	return 1;
}

static int gen_simple(struct gen *g, unsigned t, enum toy_op op, int a, int b, int cost)
{
	add(g, t, op, a, b, 0);
	return cost;
}

/* Adds one operation that the features allow. Returns 0 when the random choice was one that they do not allow. */
static int operation(struct gen *g, unsigned t, int budget)
{
	unsigned f = g->features;
	if ((f & TOY_F_CHOOSE) && rnd(g, 4) == 0)
		return gen_choose(g, t, budget);
	if ((f & TOY_F_ASSUME) && rnd(g, 4) == 0)
		return gen_assume(g, t);
	if ((f & TOY_F_DISCRETE) && rnd(g, 4) == 0)
		return gen_sleep(g, t);
	if ((f & TOY_F_RW_ALL) && rnd(g, 2))
		return gen_rwlock_all(g, t, budget);
	if ((f & TOY_F_SECTIONS) && rnd(g, 2))
		return gen_section(g, t);
	switch (rnd(g, f & TOY_F_SPIN ? 16 : 14)) {
	case 0:
		return f & TOY_F_MEM ? gen_load(g, t, budget) : 0;
	case 1:
		if (!(f & TOY_F_MEM))
			return 0;
		add_access(g, t, TOY_STORE, rnd(g, 2), rnd(g, 2) + 1, rnd(g, 3) == 0, 0);
		return 1;
	case 2:
		return f & TOY_F_RMW ? gen_rmw(g, t) : 0;
	case 3:
	case 4:
		return f & TOY_F_LOCK ? gen_lock(g, t, budget) : 0;
	case 5:
		return f & TOY_F_TRY ? gen_trylock(g, t) : 0;
	case 6:
		return f & TOY_F_SEM ? gen_sem(g, t) : 0;
	case 7:
		return f & TOY_F_COND ? gen_cond(g, t) : 0;
	case 8:
		return f & TOY_F_COND ? gen_signal(g, t) : 0;
	case 9:
		return f & TOY_F_RW ? gen_rwlock(g, t, budget) : 0;
	case 10:
		return f & TOY_F_BARRIER ? gen_simple(g, t, TOY_BARRIER, 0, 0, 2) : 0;
	case 11:
		return f & TOY_F_ONCE ? gen_simple(g, t, TOY_ONCE, 0, 0, 2) : 0;
	case 12:
		return f & TOY_F_FUTEX ? gen_futex(g, t) : 0;
	case 14:
	case 15:
		return gen_spin(g, t);
	default:
		if ((f & TOY_F_DIE) && rnd(g, 4) == 0)
			add(g, t, TOY_DIE_EQ, rnd(g, 2), rnd(g, 2) + 1, 0);
		return 0;
	}
}

static int operations(struct gen *g, unsigned t, int budget)
{
	int used = 0;
	while (used < budget && g->p->len[t] < TOY_CODE - 10)
		used += operation(g, t, budget - used);
	return used;
}

/* A part of a body in an atomic region. */
static void atomic_part(struct gen *g, unsigned t, int budget)
{
	if (!(g->features & TOY_F_ATOMIC) || rnd(g, 4) == 0) {
		operations(g, t, budget);
		return;
	}
	int before = rnd(g, (unsigned)budget), inside = 1 + rnd(g, (unsigned)(budget - before));
	operations(g, t, before);
	add(g, t, TOY_ATOMIC_BEGIN, 0, 0, 0);
	operations(g, t, inside);
	add(g, t, TOY_ATOMIC_END, 0, 0, 0);
	operations(g, t, budget - before - inside);
}

/* The body of a thread. Some of it may be in a region to explore, which may have no end. */
static void body(struct gen *g, unsigned t, int budget)
{
	if (!(g->features & TOY_F_EXPLORE) || rnd(g, 4) == 0) {
		atomic_part(g, t, budget);
		return;
	}
	int before = rnd(g, (unsigned)budget), inside = 1 + rnd(g, (unsigned)(budget - before));
	operations(g, t, before);
	add(g, t, TOY_EXPLORE_BEGIN, 0, 0, 0);
	atomic_part(g, t, inside);
	if (rnd(g, 8) == 0)
		return;
	add(g, t, TOY_EXPLORE_END, 0, 0, 0);
	operations(g, t, budget - before - inside);
}

static void loose_main(struct gen *g, unsigned n)
{
	for (unsigned k = 1; k <= n; k++)
		add(g, 0, TOY_SPAWN, (int)k, 0, 0);
	if (rnd(g, 2))
		add(g, 0, TOY_JOIN, 1 + rnd(g, n), 0, 0);
	if (rnd(g, 2))
		operations(g, 0, 1);
}

/* A thread ends the process, in most cases with status 0. */
static void exits(struct gen *g, unsigned n)
{
	if (rnd(g, 3) == 0)
		add(g, 1 + (unsigned)rnd(g, (int)n), TOY_EXIT, rnd(g, 4) == 0, 0, 0);
}

/* When all threads have ended, main destroys some of the objects that they used. */
static void destroys(struct gen *g)
{
	static const struct {
		unsigned feature, kind;
	} what[] = {{TOY_F_SEM, OBJ_SEM}, {TOY_F_LOCK, OBJ_MUTEX}, {TOY_F_COND, OBJ_COND}, {TOY_F_RW, OBJ_RWLOCK},
		{TOY_F_BARRIER, OBJ_BARRIER}};
	for (unsigned k = 0; k < sizeof what / sizeof *what; k++)
		if ((g->features & what[k].feature) && rnd(g, 3) == 0)
			add(g, 0, TOY_DESTROY, 0, what[k].kind, 0);
}

static bool timed_op(unsigned op)
{
	return op == TOY_TIMEDWAIT || op == TOY_TRYLOCK || op == TOY_SEMTRY || op == TOY_TRYRD || op == TOY_TRYWR || op == TOY_FUTEX_WAIT;
}

/* Gives timeouts to what can be timed, soon or late, some with equal deadlines. */
static void patient(struct gen *g)
{
	static const int16_t length[] = {1000, 20000, 20000, 21000, 30000};
	g->p->patience = g->features & TOY_F_PATIENT ? 20000 : 0;
	g->p->discrete_time = g->features & TOY_F_DISCRETE;
	for (unsigned t = 0; t < g->p->threads; t++)
		for (unsigned k = 0; k < g->p->len[t]; k++)
			if (timed_op(g->p->code[t][k].op) && rnd(g, 4))
				g->p->code[t][k].d = length[rnd(g, sizeof length / sizeof *length)];
}

void toy_random(struct toy_program *p, unsigned features, uint64_t seed, uint64_t i)
{
	static const int most[] = {0, 0, 5, 4, 3};
	struct gen g = {p, features, seed * UINT64_C(1000003) + i};
	memset(p, 0, sizeof *p);
	p->name = "random";
	for (int k = 0; k < 5; k++)
		rnd(&g, 2);
	unsigned n = 2 + (unsigned)rnd(&g, 3);
	if (features & TOY_F_BARRIER)
		add(&g, 0, TOY_BARRIER_INIT, 0, 2 + rnd(&g, n > 2 ? 2 : 1), 0);
	p->sem_value[0] = rnd(&g, 2);
	p->sem_value[1] = rnd(&g, 3);
	for (unsigned l = 0; l < 2 && (features & TOY_F_RW_ALL); l++)
		p->rw_type[l] = (uint8_t)(rnd(&g, 3) ? 2 : rnd(&g, 2));
	p->spurious = features & TOY_F_SPURIOUS ? (uint32_t)rnd(&g, 2) : 0;
	for (unsigned t = 1; t <= n; t++)
		body(&g, t, 1 + rnd(&g, (unsigned)most[n]));
	p->barrier_first = features & TOY_F_MEET;
	p->late_exit = features & TOY_F_LATE_EXIT;
	if (p->late_exit)
		exits(&g, n);
	if ((p->late_exit && rnd(&g, 4)) || ((features & TOY_F_NOJOIN) && rnd(&g, 2)))
		loose_main(&g, n);
	else {
		toy_main(p);
		destroys(&g);
	}
	if (features & (TOY_F_PATIENT | TOY_F_DISCRETE))
		patient(&g);
}

unsigned toy_random_part(unsigned n)
{
	const char *percent = getenv("RANDOM_PERCENT");
	unsigned part = percent ? (unsigned)(n * strtoul(percent, NULL, 10) / 100) : n, least = n < 3 ? n : 3;
	return part > least ? part : least;
}
