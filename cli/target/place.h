/*
 * Puts the memory of a process at fixed addresses, right after an exec: where the system forbids to switch address randomisation off, as
 * containers do, and elsewhere too, so that recordings are the same on both. place_plan.h has the layout. It takes ptrace, which a process
 * may use on its own children.
 */
#ifndef SIMUL_PLACE_H
#define SIMUL_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum placed {
	PLACED,        /* `why` is "" */
	PLACED_NOT,    /* not all of it; the process runs all the same, and `why` says what was in the way */
	PLACED_BROKEN, /* the process died on the way, or was killed since it had been moved by half. It is not reaped */
};

/*
 * `pid` is a child of the calling thread which asked to be traced (PTRACE_TRACEME) and has stopped at an exec, before its first
 * instruction. It goes on by itself afterwards, with this limit on its stack (0: with the one it has), and is traced no more.
 */
enum placed place_at_exec(pid_t pid, uint64_t stack_limit, char *why, size_t size);

/*
 * The same for a process that stopped by SIGSTOP before its first instruction, and lets us trace it (PR_SET_PTRACER). It is stopped afterwards,
 * too. If its limit on the stack was lowered (below), it gets ours.
 */
enum placed place_stopped(pid_t pid, char *why, size_t size);

/* Lowers the limit on the stack if the layout has no room for it: before an exec. The old one, or 0. */
uint64_t place_lower_stack_limit(void);

/*
 * For a process that is about to call exec: asks the parent to trace it from there on, and lowers the limit on the stack as
 * place_lower_stack_limit does. false: that is forbidden, or somebody else traces it.
 */
bool place_ask(uint64_t *stack_limit);

#endif
