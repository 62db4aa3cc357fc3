/*
 * Choices of the program and its scheduler (sched/choice.h) in schedules. Value 0 of such a choice is the scheduler's
 * own. A value is chosen by one CHOOSE, or by several in a row.
 */
#ifndef SIMUL_CHOICES_H
#define SIMUL_CHOICES_H

#include <stdbool.h>
#include <stdint.h>

#include "replay/minimize_internal.h"

/* Returns whether the event completes the choice of a value. */
bool choice_is_made(const struct event *e);
/* Returns whether it does, and the value is not 0. */
bool choice_differs(const struct event *e);

/* Returns the plan of the events before the choice that event `at` completes, and then of this choice with another
   value. The plan says nothing of what follows: a single thread goes on with value 0 of each choice. */
struct plan choice_plan(const struct event *event, uint32_t at, uint32_t value);
/* Returns whether the execution begins with the same choices up to event `at` of the given events, and then chooses
   `value` there. */
bool choice_followed(const struct event *event, uint32_t at, uint32_t value, const struct minimize_outcome *o);

/*
 * Looks for the failing schedule with the fewest choices of other values than 0, if all events are of one thread: all
 * schedules with `least` of them, then one more, and so on up to `most`, while these are fewer than the best one has.
 * Returns whether all were tried.
 */
bool choices_search(struct minimizing *m, unsigned least, unsigned most);

#endif
