/*
 * Repeated reads: spin loops that give up after a number of turns. docs/await.md ("Spins that give up") explains the method.
 *
 * Such a loop counts, so its thread never comes back to a state, and each turn is an event. But a turn that reads the value of the turn before
 * it is no news for anybody. So at instructions that are known for this (*repeating* reads), a read is left out when it follows the same read of the
 * same thread. The search then decides whether a write comes before the first read of a spin, not between which two turns.
 *
 * The facts about an instruction are nodes of the table of spin loops, so recordings keep them:
 *  - seen: it was seen to read the same value in states that differ.
 *  - left out: its repetitions are left out from here on.
 *  - refused: a check failed, so all its reads are events.
 *
 * The checks: from one state, all values that keep the thread in the loop must lead to the same next state (else the loop calculates), and
 * a value that makes it leave must lead to the same next operation at the first turn as at a later one.
 */
#ifndef SIMUL_REPEATS_H
#define SIMUL_REPEATS_H

#include "sched/await.h"

/* Records that the instruction reads the same value in turns whose states differ. */
void repeats_see(struct await_table *t, uint64_t pc);
/* Call it when a search begins: leaves out the repetitions of all reads that were seen and not refused. */
void repeats_apply(struct await_table *t);
/* Records that a check failed. The search begins again if repetitions of this read are left out. */
void repeats_refuse(struct await_table *t, uint64_t pc);
/* Returns whether repetitions of this read are left out, as far as the first `nodes` nodes of the table say. */
bool repeats_left_out(const struct await_table *t, uint64_t pc, uint32_t nodes);
/* Returns whether the instruction was seen to repeat, and is not refused. */
bool repeats_seen(const struct await_table *t, uint64_t pc);
/* Record and return whether many turns of this read's loop have been checked. */
void repeats_note_checked(struct await_table *t, uint64_t pc);
bool repeats_checked(const struct await_table *t, uint64_t pc);
/* Returns whether the node says that repetitions are left out. */
static inline bool repeats_is_left_out(const struct await_node *n)
{
	return n->what & AWAIT_REPEATS;
}
/* Records that a turn from `state` led to the state `next`. Refuses the instruction if it led elsewhere before, or if there is no room. */
void repeats_check(struct await_table *t, uint64_t pc, uint64_t state, uint64_t next);

/* Values that the first read of a spin found in this state. `stays`: the thread comes back to the read. */
/* Returns the i-th of them (from 0), or NULL. */
const struct await_found *repeats_value(const struct await_table *t, uint64_t state, uint32_t i);
/* Adds one. Refuses the instruction if there is no room. */
void repeats_add(struct await_table *t, uint64_t pc, uint64_t state, uint64_t value, bool stays);

#endif
