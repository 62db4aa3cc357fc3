/*
 * Virtual time. A thread takes over the time of exactly those events on an object that its own access is dependent with (event.h), so its
 * clock is a function of the trace.
 */
#include "sched/world_internal.h"

#define NO_SEQ_A 0xfffffffeu /* two values of seq that no event has: they show whether two modes are dependent when their seqs differ */
#define NO_SEQ_B 0xffffffffu

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void clock_access(struct world *w, struct wthread *t, object_id o, unsigned mode, uint32_t seq)
{
	struct object *x = world_obj(w, o);
	for (uint32_t left = x->modes; left; left &= left - 1) {
		unsigned m = (unsigned)__builtin_ctz(left);
		if (modes_dependent(mode, NO_SEQ_A, m, NO_SEQ_B) && !(mode == M_MEET && m == M_MEET))
			t->clock = later(t->clock, x->stamp[m]);
	}
	if (mode == M_RECV && x->sem.stamp_cap)
		t->clock = later(t->clock, x->sem.stamp[seq & (x->sem.stamp_cap - 1)]);
	if (mode == M_PASS)
		t->clock = later(t->clock, t->pass_stamp);
	x->modes |= 1u << mode;
	x->stamp[mode] = later(x->stamp[mode], t->clock);
}

uint64_t world_steps(const struct world *w)
{
	return w->steps;
}

uint64_t world_now(const struct world *w, thread_id t)
{
	return w->thread[t]->clock;
}

#define TICK_NS UINT64_C(1000)
#define TICK_MAX_NS UINT64_C(100000000)
#define EVEN_READS 16 /* this many first reads are equally far apart, because programs compare two clocks and correct one by the other */
#define DOUBLED 17    /* after them the distance doubles, so that a thread that only polls the clock soon reaches its time */

uint64_t world_read_clock(struct world *w, thread_id id)
{
	struct wthread *t = w->thread[id];
	uint32_t more = t->clock_reads < EVEN_READS ? 0 : t->clock_reads - EVEN_READS + 1;
	uint64_t tick = more < DOUBLED ? TICK_NS << more : TICK_MAX_NS;
	t->clock_reads++;
	t->clock += tick < TICK_MAX_NS ? tick : TICK_MAX_NS;
	return t->clock;
}

void world_advance(struct world *w, thread_id id, uint64_t until)
{
	struct wthread *t = w->thread[id];
	t->clock = later(t->clock, until);
}
