/*
 * Store buffers.
 *
 * TSO: each thread has a FIFO queue of stores; one drain agent a thread moves the oldest to memory, at any time. PSO: a queue for each
 * thread and place (the address of the first byte), each with its agent; a store waits for older ones of its thread on
 * overlapping bytes; if it is a release, for all older ones; and for those before a release fence of its thread. Everything
 * but loads and buffered stores waits until its thread's buffer is empty; the end of the process until all are. A store may
 * have any size and overlap others in any way: a load takes each byte from the latest store in its own buffer that
 * has it, and the others from memory.
 *
 * Semantics and names: Abdulla et al., "Stateless model checking for TSO and PSO" (TACAS 2015), section 3 and appendix C.
 */
#ifndef SIMUL_MEMBUF_H
#define SIMUL_MEMBUF_H

#include "sched/world_internal.h"

/* Fingerprint of [addr, addr + size) as t sees it; 0 when nobody knows. Nobody's buffer is shown. */
uint32_t membuf_value(const struct world *w, const struct wthread *t, uint64_t addr, uint32_t size);
/* Does t have any of these bytes in its buffer? */
bool membuf_has(const struct wthread *t, uint64_t addr, uint32_t size);
bool membuf_empty(const struct wthread *t);
/* May t go on with what d says it would do, as far as buffers are concerned? */
bool membuf_lets(const struct world *w, const struct wthread *t, const struct decision *d);

/* t has announced its operation. If that is a store for its buffer, its agent is known from now on. */
void membuf_announced(struct world *w, struct wthread *t);
/* The agent that will drain the pending store of t; NO_THREAD: it goes straight to memory. */
thread_id membuf_agent(const struct wthread *t);
/* What its UPDATE will be called (update_result). */
uint32_t membuf_name(const struct wthread *t);
/* The pending store of t goes into its buffer. */
void membuf_store(struct world *w, struct wthread *t);
/* t has performed an event for which its buffer was empty. */
void membuf_drained(struct wthread *t);

/* The enabled choices of all agents, sorted, and trace->alts. Returns how many there are; at most max are written. */
unsigned membuf_choices(struct world *w, struct choice *out, unsigned max);
/* The event that agent a would be now; false when it has nothing to do. */
bool membuf_preview(const struct world *w, thread_id a, struct event *out);
unsigned membuf_alternatives(struct world *w, thread_id a);
/* Performs it. */
void membuf_update(struct world *w, thread_id a, struct event *out);

#endif
