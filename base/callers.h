/* The places in the program that did something, as return addresses (struct session_callers). */
#ifndef SIMUL_CALLERS_H
#define SIMUL_CALLERS_H

#include <stdbool.h>

#include "base/session.h"

/* Returns whether nothing is added by this caller: it is there, or there are more than are kept. */
static inline bool callers_have(const struct session_callers *p, uint64_t pc)
{
	for (uint32_t i = 0; i < p->n && i < SESSION_CALLERS; i++)
		if (p->pc[i] == pc)
			return true;
	return p->n > SESSION_CALLERS;
}

/* Adds a caller. pc 0: unknown, then only `done` is set. */
static inline void callers_add(struct session_callers *p, uint64_t pc)
{
	p->done = 1;
	if (!pc || callers_have(p, pc))
		return;
	if (p->n < SESSION_CALLERS)
		p->pc[p->n] = pc;
	p->n++;
}

/* Adds the callers of *from to *to. */
static inline void callers_absorb(struct session_callers *to, const struct session_callers *from)
{
	for (uint32_t i = 0; i < from->n && i < SESSION_CALLERS; i++)
		callers_add(to, from->pc[i]);
	to->done |= from->done;
	if (from->n > SESSION_CALLERS)
		to->n = SESSION_CALLERS + 1;
}

#endif
