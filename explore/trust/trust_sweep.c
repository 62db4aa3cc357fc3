/* Events on the same objects, for TruSt: see trust_sweep.h. */
#include "explore/trust/trust_sweep.h"

#include <string.h>

#include "explore/trace/chain.h"
#include "explore/trace/vclock.h"

bool bits_clear(struct core *s, struct vec *v, uint32_t n)
{
	uint32_t words = n / 64 + 1;
	if (!vec_reserve(s, v, words, sizeof(uint64_t)))
		return false;
	memset(vec_data(s, v), 0, words * sizeof(uint64_t));
	v->n = words;
	return true;
}

uint32_t bits_next(struct core *s, const struct vec *v, uint32_t i)
{
	const uint64_t *words = vec_data(s, v);
	for (uint32_t k = i / 64; k < v->n; k++) {
		uint64_t x = words[k] & (k == i / 64 ? ~UINT64_C(0) << i % 64 : ~UINT64_C(0));
		if (x)
			return k * 64 + (uint32_t)__builtin_ctzll(x);
	}
	return NO_INDEX;
}

uint32_t bits_before(struct core *s, const struct vec *v, uint32_t i)
{
	const uint64_t *words = vec_data(s, v);
	for (uint32_t k = i / 64 + 1; k-- > 0;) {
		uint64_t x = words[k] & (k == i / 64 ? ~(~UINT64_C(0) << i % 64) : ~UINT64_C(0));
		if (x)
			return k * 64 + 63 - (uint32_t)__builtin_clzll(x);
	}
	return NO_INDEX;
}

static bool known(struct search *s, const struct sweep *x, uint32_t i)
{
	return x->past && clock_covers(s, x->past, x->w, i);
}

/* Adds event i if it is related. Returns whether the walk may ignore it and everything that happens before it. */
static bool visit(struct search *s, const struct sweep *x, uint32_t i, struct vec *bits)
{
	const struct event *d = &node_at(s, i)->ev;
	s->trace.work++;
	if (known(s, x, i))
		return true;
	if (i >= x->above && i < x->below && d->thread != x->e->thread && x->related(x->e, d))
		bits_set(&s->core, bits, i);
	return false;
}

static void sweep_thread(struct search *s, const struct sweep *x, uint32_t slot, struct vec *bits)
{
	uint32_t at = ((struct slot *)vec_data(&s->core, &s->trace.slots))[slot].last;
	while (at > x->above && node_at(s, at - 1)->slot == slot && !visit(s, x, at - 1, bits))
		at = node_at(s, at - 1)->thread_prev;
}

/* The POKEs of thread t, which change what it does. Each happens before the next. */
static void sweep_pokes(struct search *s, const struct sweep *x, thread_id t, struct vec *bits)
{
	uint32_t slot = slot_of(s, t), at = 0;
	if (slot != NO_INDEX)
		at = ((struct slot *)vec_data(&s->core, &s->trace.slots))[slot].last_poke;
	while (at > x->above && !visit(s, x, at - 1, bits))
		at = node_at(s, at - 1)->poke_prev;
}

/* Walks along the chain of o. Stops at an event that may be ignored, with a past that covers all earlier events that matter. */
static void sweep_chain(struct search *s, const struct sweep *x, object_id o, struct vec *bits)
{
	bool memory = object_is_memory(o);
	uint32_t left = memory ? chain_bytes(x->e, o) : 1;
	for (uint32_t at = object_last(s, o); left && at > x->above; at = object_prev(s, at - 1, o)) {
		const struct event *d = &node_at(s, at - 1)->ev;
		if (!visit(s, x, at - 1, bits))
			continue;
		if (!memory && is_gate(s, at - 1, o))
			left = 0;
		if (memory && chain_mode(d, o) == M_WRITE)
			left &= ~chain_bytes(d, o);
	}
}

void sweep(struct search *s, const struct sweep *x, struct vec *bits)
{
	uint32_t poked = x->e->mode[0] == M_POKE ? slot_of(s, event_poked(x->e)) : NO_INDEX;
	if (event_kind_flags(x->e->kind) & K_END) {
		for (uint32_t k = 0; k < s->trace.slots.n; k++)
			sweep_thread(s, x, k, bits);
		return;
	}
	for (uint32_t k = 0; k < chain_count(x->e); k++)
		if (chain_object(x->e, k))
			sweep_chain(s, x, chain_object(x->e, k), bits);
	sweep_pokes(s, x, x->e->thread, bits);
	if (poked != NO_INDEX) {
		sweep_thread(s, x, poked, bits);
		sweep_pokes(s, x, event_poked(x->e), bits);
	}
	if (s->trace.analysed && (event_kind_flags(node_at(s, s->trace.analysed - 1)->ev.kind) & K_END))
		visit(s, x, s->trace.analysed - 1, bits);
}
