/*
 * Atomic regions in the search.
 *
 * A *unit* is what nobody can come into: an event with the events behind it that were performed in the middle of an atomic region
 * (node.atomic). Most are single events. The events of a unit are nodes like others, with clocks like others; but only its first
 * node is a state in which other threads have choices. So a race (d, e') is reversed in the state before d's unit, and what is left
 * behind there is whole units: those that no event of the units cut out happens before.
 *
 * What a unit does when it is reversed is not known before it is executed. Therefore Optimal-DPOR works here as Source-DPOR over units (JACM
 * 2017, Algorithm 1): planned is one step, a first unit of the sequence; who sleeps knows all that its unit touched (sleepset.h), and covers
 * only sequences that it is a first step of. A planned unit is compared with others by what it did in the execution that planned it (`guess`). When it
 * turns out to do something else, everything is planned in the state where it was.
 *
 * A region whose thread has to wait is *interrupted*: it is several units. Which ones depends on the order: before the release of a lock it needs
 * a region gets as far as the lock, behind it further, even if no event of either comes to be another one. So where part of a region was
 * performed that others can feel, a release cannot be reversed with the lock as an event, but with the unit; and an interrupted unit counts as
 * dependent with everything: nobody sleeps over it, it does not sleep, and all is planned beside it and where races of such an execution
 * are. Traces are told apart by their events still, so some are explored more than once then: distinct.h counts.
 */
#ifndef SIMUL_UNIT_H
#define SIMUL_UNIT_H

#include "explore/feasible.h"
#include "explore/sleepset.h"

/* First node of the unit of node i; one behind its last. */
uint32_t unit_first(struct search *s, uint32_t i);
uint32_t unit_end(struct search *s, uint32_t i);

/* Did the nodes from first to `end`, the beginning of a unit or all of it, touch anything that others can see? */
bool unit_is_felt(struct search *s, uint32_t first, uint32_t end);

/* The execution is over, all its nodes have clocks. Finds out what its units did; plans everything where one did not do what it was expected
   to. Before races are looked for. */
void units_end(struct search *s);

/* Makes of cut c, which consists of roots, one that leaves whole units. `self` as in struct cut: of its unit what comes before it stays. false: what
   it does there depends on what is cut out. */
bool unit_cut(struct search *s, struct cut *c);

/* Plans in the state before the unit of the first root what begins the sequence of what *c leaves and *last, which is event c->self reversed, or
   pending. */
void unit_plan(struct search *s, const struct cut *c, const struct event *last);
/* Plans choice *e, which is enabled at node i. */
void unit_plan_choice(struct search *s, uint32_t i, const struct event *e);
/* Plans everything in the state before the unit of node i, if others have a choice there. */
void unit_plan_all(struct search *s, uint32_t i);

#endif
