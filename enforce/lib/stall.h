/* What a thread that waits looks at: threads that have ended, and programs in which nothing happens any more. */
#ifndef SIMUL_STALL_H
#define SIMUL_STALL_H

#include <stdbool.h>
#include <stdint.h>

#include "enforce/plan.h"

#define STALL_TICK_NS 500000000

extern struct plan_progress *gate_progress; /* by thread of the plan */

struct stall {
	uint32_t event; /* that is waited for */
	uint64_t sum;   /* of performed events when something happened last, and */
	uint64_t since; /* when that was, ns */
};

void stall_begin(struct stall *s, uint32_t event);
/* Some time has passed. Ends the program when the event cannot come, or nothing has happened for plan.stall_ms. */
void stall_look(struct stall *s);
void stall_end(struct stall *s);

const char *gate_self_path(void);

#endif
