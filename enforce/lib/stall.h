/* What a waiting thread checks: whether the thread that it waits for has ended, and whether the program makes no progress any more. */
#ifndef SIMUL_STALL_H
#define SIMUL_STALL_H

#include <stdbool.h>
#include <stdint.h>

#include "enforce/plan.h"

#define STALL_TICK_NS 500000000

extern struct plan_progress *gate_progress; /* by thread of the plan */

struct stall {
	uint32_t event; /* the event that is waited for */
	uint64_t sum;   /* number of performed events when the program last made progress */
	uint64_t since; /* when that was, ns */
};

void stall_begin(struct stall *s, uint32_t event);
/* Call it repeatedly while waiting. Ends the program if the event cannot come any more, or if nothing has happened for plan.stall_ms. */
void stall_look(struct stall *s);
void stall_end(struct stall *s);

const char *gate_self_path(void);

#endif
