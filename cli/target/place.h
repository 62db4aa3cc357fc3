/*
 * Places the memory of a process at fixed addresses right after an exec. Containers often forbid disabling address randomisation; placing
 * memory everywhere makes recordings the same with and without it. place_plan.h has the layout. It needs ptrace, which a process may use on
 * its own children.
 */
#ifndef SIMUL_PLACE_H
#define SIMUL_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum placed {
	PLACED,        /* `why` is "" */
	PLACED_NOT,    /* some memory was not moved; the process runs anyway, and `why` gives the reason */
	PLACED_BROKEN, /* the process died, or was killed because it had been moved only in part. It is not reaped */
};

/*
 * `pid` is a child of the calling thread, asked to be traced (PTRACE_TRACEME) and has stopped at an exec, before its first instruction.
 * Afterwards it runs untraced, with this stack limit (0: its own).
 */
enum placed place_at_exec(pid_t pid, uint64_t stack_limit, char *why, size_t size);

/*
 * Like place_at_exec, for a process that stopped by SIGSTOP before its first instruction and lets us trace it (PR_SET_PTRACER). It stays
 * stopped. If its stack limit was lowered (see below), it gets ours.
 */
enum placed place_stopped(pid_t pid, char *why, size_t size);

/* Call it before an exec: lowers the stack limit if the layout has no room for it. Returns the old limit, or 0 if unchanged. */
uint64_t place_lower_stack_limit(void);

/*
 * For a process that is about to call exec: asks the parent to trace it, and lowers the stack limit as place_lower_stack_limit does. false:
 * this is forbidden, or another process traces it.
 */
bool place_ask(uint64_t *stack_limit);

#endif
