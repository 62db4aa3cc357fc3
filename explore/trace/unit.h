/*
 * Atomic regions in the search.
 *
 * A *unit* is a sequence that no other thread can enter: an event, with the following events performed inside an atomic region
 * (node.atomic). Most units are single events. The events of a unit are ordinary nodes with ordinary clocks, but only its first node is a
 * state in which other threads have choices. So a race (d, e') is reversed in the state before d's unit. The reversing sequence then
 * consists of whole units: those that no event of the removed units happens before.
 *
 * The effect of a reversed unit is not known before it is executed. Therefore Optimal-DPOR works here as Source-DPOR over units (JACM 2017,
 * Algorithm 1): the plan is one step, a first unit of the sequence; a sleeper knows all that its unit touched (sleepset.h), and covers only
 * sequences that it is a first step of. A planned unit is compared with others by what it did in the execution that planned it (`guess`).
 * If it then does something else, every choice is planned in the state before it.
 *
 * Several workers (shared/work_sharing.h) can share a search whose units are sections (REGION_SECTIONS). What a section
 * does depends only on the state before it, since its thread never waits inside and has no alternatives. So one
 * execution of a branch shows all that it does, and the branch carries this for the later siblings, in which it sleeps.
 * As a plan is one step, nothing is ever inserted below a branch. When a worker compares a sequence with a unit that
 * another one has executed already, the real effect of the unit is compared with the guess at once.
 *
 * A region whose thread has to wait is *interrupted*: it is several units, and which ones depends on the order: a region that needs a lock
 * stops at the lock before the release, and continues past it after, even if no event of either one changes. So if the part of the region
 * already performed is visible to other threads, a release cannot be reversed with the lock as an event, but only with the unit. An
 * interrupted unit counts as dependent with everything: no sleeper stays asleep over it, it does not sleep itself, and all choices are
 * planned beside it and wherever such an execution has races. Traces are still identified by their events, so some are explored more than
 * once: distinct.h counts them.
 */
#ifndef SIMUL_UNIT_H
#define SIMUL_UNIT_H

#include "explore/trace/feasible.h"
#include "explore/tree/sleepset.h"

/* Returns the first node of the unit of node i. */
uint32_t unit_first(struct search *s, uint32_t i);

/* Returns whether nodes [first, end), a whole unit or its beginning, touched anything visible to other threads. */
bool unit_is_felt(struct search *s, uint32_t first, uint32_t end);

/* Records what the units of the finished execution did. All nodes must have clocks. Call it before share_settle and
   units_end. */
void units_note(struct search *s);
/* Returns a hash of what the unit that begins at node i did, to compare with a guess. Never 0. */
uint64_t unit_did(struct search *s, uint32_t i);
/* Plans every choice where a unit of the finished execution did not do what was expected. Call it before looking for
   races. */
void units_end(struct search *s);

/* Extends cut c, which consists of roots, so that it leaves whole units. `self` as in struct cut: the events before it in its unit stay.
   Returns false when the effect of `self` there depends on what is cut out. */
bool unit_cut(struct search *s, struct cut *c);

/* Plans, in the state before the unit of the first root, a first step of the sequence of what *c leaves followed by *last. *last is
   event c->self reversed, or pending. */
void unit_plan(struct search *s, const struct cut *c, const struct event *last);
/* Plans choice *e, which is enabled at node i. */
void unit_plan_choice(struct search *s, uint32_t i, const struct event *e);
/* Plans every choice in the state before the unit of node i, if other threads have one there. */
void unit_plan_all(struct search *s, uint32_t i);

#endif
