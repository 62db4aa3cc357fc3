/*
 * Repeating a prefix of the execution before, and noticing when the program does not.
 *
 * All strategies that backtrack keep the executed events in their nodes. The next execution repeats
 * nodes [0, s->prefix); a mismatch is nondeterminism of the program: stats.diverged, and no further
 * execution is started.
 */
#ifndef SIMUL_PREFIX_H
#define SIMUL_PREFIX_H

#include "explore/search.h"

/* Starts an execution that repeats nodes [0, prefix), and [0, s->repeat) when that is set to more afterwards. */
void prefix_begin(struct search *s, uint32_t prefix);
/* The choice of the prefix at s->pos < s->prefix; PICK_DIVERGED when it isn't there. */
int prefix_pick(struct search *s, const struct sched_view *view);
/* Compares e with the event of the prefix at s->pos and steps s->pos. */
void prefix_observe(struct search *s, const struct event *e);
/* The program did something else in the state at s->pos than when it was there before. `found` may be NULL. */
void prefix_diverged(struct search *s, const struct event *found);
/* The execution ended within the prefix: that is a divergence too. */
void prefix_ended_early(struct search *s);
/* Are these the same event, as far as a repeated prefix shows? */
bool prefix_same(const struct event *a, const struct event *b);
/* Makes node s->pos with the choices of the view (previews when `previews`). NULL: no memory. */
struct node *prefix_push(struct search *s, const struct sched_view *view, bool previews);
/* Pops the nodes [n, ..) of the stack, their clocks, sleep sets and choices. Their wakeup trees are the
   caller's business. */
void prefix_truncate(struct search *s, uint32_t n);
/* Index into the view's choices of (thread, alt), or -1. */
int view_find(const struct sched_view *view, thread_id t, unsigned alt);

#endif
