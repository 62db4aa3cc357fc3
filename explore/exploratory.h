/*
 * Random executions from which it is to be learnt what threads share and where they spin (preload/life/warm_up.h). They prove nothing and need
 * no distribution; they are to pass many different states, and to look around there.
 *
 * *Far.* In a random walk threads keep abreast; a search lets one get far ahead of others, and comes to states that no random walk ever meets.
 * So the thread that was chosen goes on, and is replaced by a random one with a probability of 1, 1/2, 1/4, ... or 1/128 at each step: which
 * of these is drawn for each execution.
 *
 * *Curious.* What a spin loop does with a value is known only when a thread was run there while memory held it (sched/await.h). Looking
 * changes nothing that others could see. So in every other execution each thread that may be at such a place looks at once, instead of
 * waiting for chance to pick it three times before the value changes. Not in all of them: who looks at once also enters at once where the
 * loop ends, and so meets less contention.
 */
#ifndef SIMUL_EXPLORATORY_H
#define SIMUL_EXPLORATORY_H

#include "explore/sample.h"

#define CURIOUS_STREAK 64u /* events in a row after which a thread looks no more: what it does there is no spin loop */

/* Index of one of the choices c[0 .. n), n > 0. */
uint32_t exploratory_one(struct search *s, const struct sched_view *view, const uint32_t *c, uint32_t n);

#endif
