/*
 * Exploratory executions: random executions that find out what threads share and where they spin (preload/life/warm_up.h). They prove
 * nothing and need no particular distribution. They should pass through many different states and probe there.
 *
 * *Run ahead.* In a plain random walk the threads advance at about the same pace. A search lets one thread get far ahead of others, and so
 * reaches states that a random walk never meets. Therefore the chosen thread continues, and is replaced by a random one with probability 1,
 * 1/2, 1/4, ... or 1/128 at each step. The probability is drawn once for each execution.
 *
 * *Run alone.* In one of nine executions the chosen thread continues until it has to wait, sleeps or yields. A thread
 * that loops without end then uses up the steps, and gets a limit (sched/endless.h). Otherwise the search finds new
 * spin loops at each further turn of such a thread, and the warm-up does not converge.
 *
 * *Probe.* What a spin loop does with a value is known only after a thread ran there while memory held that value (sched/await.h). Probing
 * has no effect that other threads can see. So in every other execution each thread that may be at such a place probes at once, instead of
 * waiting for chance to pick it three times before the value changes. Not every execution does this: a thread that probes at once also
 * leaves the loop at once when it can, and so meets less contention.
 */
#ifndef SIMUL_EXPLORATORY_H
#define SIMUL_EXPLORATORY_H

#include "explore/sampling/sample.h"

#define PROBE_STREAK 64u /* a thread that ran this many events in a row probes no more: it is not in a spin loop */

/* Returns whether threads run alone in this execution. False if it is not exploratory. */
bool exploratory_alone(struct core *s);
/* Returns one of the choices c[0 .. n), n > 0. */
uint32_t exploratory_one(struct core *s, const struct sched_view *view, const uint32_t *c, uint32_t n);

#endif
