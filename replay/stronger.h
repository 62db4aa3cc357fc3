/*
 * Looks for memory orders that would have prevented a failure under RC11. A replay follows the failing schedule while
 * some atomic accesses and fences have stronger orders. If these orders forbid an older store that the schedule needs,
 * or remove the race that is the failure, the schedule cannot be followed any more.
 *
 * Stronger orders only forbid executions. So a set of orders that does not prevent the failure needs no weaker ones to
 * be tried, and one that does is made smaller and weaker step by step.
 */
#ifndef SIMUL_STRONGER_H
#define SIMUL_STRONGER_H

#include <stdint.h>

#include "recorder/recording.h"

enum stronger_result {
	STRONGER_FAILS,     /* the same steps read the same stores, and the failure is the same */
	STRONGER_PREVENTED, /* the orders forbid the store of step *at, or remove the race in step *at */
	STRONGER_UNKNOWN,   /* something else happened */
	STRONGER_OVER,      /* no more replays can be made */
};

/* Replays the schedule. order[i]: enum rc11_order, the order of step i besides its own. */
typedef enum stronger_result (*stronger_run)(void *ctx, const uint8_t *order, size_t *at);

/* Returns whether the failure is one that memory orders can prevent: a race under RC11, or one after a step that reads
   an older store, or is placed before one. */
bool stronger_applies(const struct recording *r);

/* Makes at most `most` replays and fills r->orders, which must be empty. It stays empty if nothing was found out. */
void stronger_find(struct recording *r, stronger_run run, void *ctx, unsigned most);

#endif
