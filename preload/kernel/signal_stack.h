/* The alternate stacks of the program's threads (sigaltstack). */
#ifndef SIMUL_SIGNAL_STACK_H
#define SIMUL_SIGNAL_STACK_H

#include <signal.h>

#include "sched/ids.h"

/* Returns what thread t has set; its ss_sp is NULL if it has none. */
stack_t *signal_stack_of(thread_id t);
/* Adopts the one of the first thread. Once, before simul sets its own. */
void signal_stack_adopt(void);

#endif
