/*
 * Data that every room of preload/ may read: whether simul is in control, the session, the running thread, and simul's private memory.
 */
#ifndef SIMUL_STATE_H
#define SIMUL_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/processor.h"
#include "base/session.h"
#include "preload/base/operations.h"
#include "sched/event.h"
#include "sched/world.h"

struct fiber; /* control/fiber.h */

enum ctl_state {
	CTL_OFF = 0, /* not started, a native child, or refused: hooks pass straight through */
	CTL_ON,      /* the main program is under control */
};

extern int ctl_state;
extern int ctl_inside;          /* 1 while code of simul runs, not the program's */
extern char *ctl_selector;      /* the running kernel thread's selector, see dispatch.h: 0 while inside simul */
extern struct session *ctl_session; /* NULL when CTL_OFF from the start */
extern int ctl_session_fd;          /* descriptor of the session segment */
extern struct world *ctl_world;
extern struct hb *ctl_hb;           /* sched/hb.h: happens-before in the running execution */
extern struct trace ctl_trace;      /* trace of the running execution, in the segment */
extern bool ctl_past_checkpoint;    /* the checkpoint is passed: executions have begun (life/run.c) */

/* The stack pointer at which the running thread last entered simul: the program's frames lie above it. For dead_stack.h. */
extern uint64_t ctl_sp;

extern bool ctl_sections; /* sections of mutexes may be steps (sched/section.h), so calls inside them count */

extern bool what_if_on; /* this process is a fork that tries what a thread would do (life/what_if.h) */

extern bool ctl_entered; /* the program has called a hook since someone last cleared it; for the steps of cooperative/ */

extern bool ctl_returning; /* operations.returning must be called when a thread leaves simul */

/* Enters simul for something that has no effect which the program could notice. */
static inline bool ctl_enter_unnoticed(void)
{
	if (__builtin_expect(ctl_state != CTL_ON || ctl_inside, 0))
		return false;
	ctl_inside = 1;
	ctl_sp = (uintptr_t)__builtin_frame_address(0);
	*ctl_selector = 0;
	return true;
}

/* Enters simul for an operation whose whole effect is an event. */
static inline bool ctl_enter_event(void)
{
	bool entered = ctl_enter_unnoticed();
	ctl_entered |= entered;
	return entered;
}

/* Records that the running thread makes a call with an effect that neither an event nor an access shows. Costs a test without --sections. */
static inline void ctl_opaque(void)
{
	if (__builtin_expect(ctl_sections, 0))
		operations.opaque();
}

/* Enters simul, if the caller is a controlled thread of the program and not inside simul yet. Returns whether it entered. */
static inline bool ctl_enter(void)
{
	if (!ctl_enter_event())
		return false;
	ctl_opaque();
	return true;
}

/* Enters simul unconditionally. For the end of a thread or process, and for signal handlers. */
static inline void ctl_force_enter(void)
{
	ctl_inside = 1;
	*ctl_selector = 0;
}

extern bool ctl_avx; /* the processor has YMM registers */

/* Leaves simul. Clears the registers that a call may change: simul's values in them depend on the search, and the program would keep them
   (aside.h). Simul's own code does not use vector registers, but libc does. */
static inline void ctl_leave(void)
{
	if (__builtin_expect(ctl_returning, 0))
		operations.returning();
	ctl_inside = 0;
	*ctl_selector = ctl_state == CTL_ON;
	processor_clear_registers(&ctl_avx);
}

/* Ends the whole session: the program does something that simul cannot control. The message names the call, the reason and what the user
   can do. */
void ctl_refuse(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Records that something happened that simul does not model; the verdict will say so. `what` names it. */
void ctl_uncontrolled(const char *what);

/* Call it when it becomes known that code runs whose accesses and calls are not seen: with --sections no section is a step any more. */
void ctl_no_sections(void);

/* Private memory that is restored with the program before each execution: `size` zeroed bytes. Ends the
   session with a message when it is used up. ctl_free takes the same size. */
void *ctl_alloc(size_t size);
void ctl_free(void *p, size_t size);

/* Reserves the private memory. Once. */
struct arena *ctl_arena_begin(void);
/* Returns the address of the private memory. */
uint64_t ctl_arena_start(void);
/* Records whether the program wrote into the private memory just after the part that executions used. If it did, it probably wrote into the
   model of its threads too, and then executions that pass prove nothing. Call it at the end of an execution. */
void ctl_arena_check(void);
/* Ends the session because the private memory is used up. */
void ctl_out_of_memory(void) __attribute__((noreturn));
/* Returns the address of an offset in the session segment. */
static inline void *ctl_segment(uint64_t off)
{
	return (char *)ctl_session + off;
}

/* ---- the threads of the program ---- */

extern struct fiber *fiber_cur;   /* the thread that runs program code now; never NULL after control has started */
extern struct fiber *fiber_first; /* T0 */

/* true when the running execution had an event CHANGE_PAGES, or the program has mapped more than a file has: then the memory of a pending access may not be there. */
extern bool ctl_pages_changed;

#endif
