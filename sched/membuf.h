/*
 * Store buffers.
 *
 * TSO: each thread has a FIFO queue of stores; one drain agent for each thread moves the oldest to memory, at any time. PSO: one queue for
 * each thread and place (the address of the first byte), each with its agent. There, a store waits for older stores of its thread to
 * overlapping bytes, and for those before a release fence of its thread; a release waits for all older stores. Everything except loads and
 * buffered stores waits until its thread's buffer is empty; the end of the process waits until all buffers are. A store may have any size
 * and overlap others in any way: a load takes each byte from the latest store in its own buffer that has it, and the remaining bytes from
 * memory.
 *
 * Semantics and names: Abdulla et al., "Stateless model checking for TSO and PSO" (TACAS 2015), section 3 and appendix C.
 */
#ifndef SIMUL_MEMBUF_H
#define SIMUL_MEMBUF_H

#include "sched/world_internal.h"

/* Fingerprint of [addr, addr + size) as t sees it; 0 when unknown. No buffer may be shown. */
uint32_t membuf_value(const struct world *w, const struct wthread *t, uint64_t addr, uint32_t size);
/* Returns whether t's buffer holds any of these bytes. */
bool membuf_has(const struct world *w, const struct wthread *t, uint64_t addr, uint32_t size);
bool membuf_empty(const struct wthread *t);
/* Returns whether the buffers allow t to do what d says. */
bool membuf_lets(const struct world *w, const struct wthread *t, const struct decision *d);

/* Call it when t has announced its operation. For a store into its buffer, it fixes the agent. */
void membuf_announced(struct world *w, struct wthread *t);
/* The agent that will drain the pending store of t; NO_THREAD: the store goes to memory directly. */
thread_id membuf_agent(const struct wthread *t);
/* The `result` of its UPDATE (update_result). */
uint32_t membuf_name(const struct wthread *t);
/* Puts the pending store of t into its buffer. */
void membuf_store(struct world *w, struct wthread *t);
/* Call it when t has performed an event that needed an empty buffer. */
void membuf_drained(struct wthread *t);

/* Finds the enabled choices of all agents, sorted, and updates trace->alts. Returns how many there are; writes at most max. */
unsigned membuf_choices(struct world *w, struct choice *out, unsigned max);
/* Computes the event that agent a would be now. Returns false when the agent has nothing to do. */
bool membuf_preview(const struct world *w, thread_id a, struct event *out);
unsigned membuf_alternatives(struct world *w, thread_id a);
/* Performs the update of agent a. */
void membuf_update(struct world *w, thread_id a, struct event *out);

#endif
