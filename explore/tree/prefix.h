/*
 * Repeating a prefix of the execution before, and detecting when the program does not repeat it.
 *
 * All backtracking strategies keep the executed events in their nodes. The next execution repeats nodes [0, s->tree.prefix). A mismatch means
 * that the program is nondeterministic: it is reported in stats.diverged, and no further execution is started.
 */
#ifndef SIMUL_PREFIX_H
#define SIMUL_PREFIX_H

#include "explore/search.h"

/* Starts an execution that repeats nodes [0, prefix). To repeat more, set s->tree.repeat afterwards: then it repeats nodes [0, s->tree.repeat). */
void prefix_begin(struct search *s, uint32_t prefix);
/* Returns the choice of the prefix at s->tree.pos < s->tree.prefix; PICK_DIVERGED when the view does not offer it. */
int prefix_pick(struct search *s, const struct sched_view *view);
/* Compares e with the event of the prefix at s->tree.pos and advances s->pos. */
void prefix_observe(struct search *s, const struct event *e);
/* Records that the program did something else in the state at s->tree.pos than the time before. `found` may be NULL. */
void prefix_diverged(struct search *s, const struct event *found);
/* Records that the execution ended within the prefix, which is a divergence too. */
void prefix_ended_early(struct search *s);
/* Returns whether the events are the same, as far as a repeated prefix shows. */
bool prefix_same(const struct event *a, const struct event *b);
/* Makes node s->tree.pos with the choices of the view (with their events if `previews`). Returns NULL when memory is used up. */
struct node *prefix_push(struct search *s, const struct sched_view *view, bool previews);
/* Pops nodes [n, ..) from the stack, with their clocks, sleep sets and choices. The caller frees their wakeup trees. */
void prefix_truncate(struct search *s, uint32_t n);
/* Returns the index of (thread, alt) in the view's choices, or -1. */
int view_find(const struct sched_view *view, thread_id t, unsigned alt);

#endif
