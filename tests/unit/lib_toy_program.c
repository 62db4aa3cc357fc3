/* Programs of the toy machine: see lib_toy_program.h. */
#include "tests/unit/lib_toy_program.h"

#include <stdio.h>

#include "base/check.h"
#include "sched/event.h"

void toy_add(struct toy_program *p, unsigned t, enum toy_op op, int a, int b, int c, int d, int e)
{
	INVARIANT(t < TOY_THREADS && p->len[t] < TOY_CODE - 1, "toy program too long");
	p->code[t][p->len[t]++] = (struct toy_instr){op, 0, false, TOY_PLAIN, false, false, (int16_t)a, (int16_t)b, (int16_t)c, (int16_t)d, (int16_t)e};
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

void toy_counts(struct toy_program *p, unsigned t)
{
	p->code[t][p->len[t] - 1].counts = true;
}

uint64_t toy_turn(unsigned t, unsigned pc)
{
	return (t << 8 | pc) + 1;
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
	static const char *const orders[] = {"", ".release", ".drains", ".carries", ".commutes"}, *const names[] = {
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
