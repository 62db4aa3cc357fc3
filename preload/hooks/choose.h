/* Choices that the search makes (hook_simul.c). Call these functions inside simul. */
#ifndef SIMUL_HOOKS_CHOOSE_H
#define SIMUL_HOOKS_CHOOSE_H

#include "base/session/schedule.h"

/* Returns one of 0 .. n-1, for n from 1 to CHOOSE_MOST. A search tries each value. Another n is a bug of the program. `pc`: the place in
   the program. If n > 1, executions start here at the latest. */
int choose_value(long n, const void *pc);

/* Makes reports show `text`, cut to SESSION_LABEL_TEXT - 1 bytes, at the position of the running thread. */
void choose_label(enum label_kind kind, const char *text);
/* Returns whether labels are kept in this execution. */
int choose_labels_kept(void);

#endif
