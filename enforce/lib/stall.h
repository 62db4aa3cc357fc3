/* What a thread that waits looks at: threads that have ended, and programs in which nothing happens any more. */
#ifndef SIMUL_STALL_H
#define SIMUL_STALL_H

#include <stdbool.h>
#include <stdint.h>

#define STALL_TICK_NS 500000000

/* What other threads see of a thread: on a cache line of its own. */
struct progress {
	_Alignas(64) uint32_t done; /* events that it has performed; futex */
	uint32_t sleepers;          /* threads that sleep until that changes */
	uint32_t tid;               /* in the kernel; 0: it has not begun */
	uint32_t ended;             /* 1: it has ended */
	uint32_t waits_for;         /* index + 1 of the event that it waits for; 0: none */
};
extern struct progress *gate_progress; /* by thread of the plan */

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
