/* A process for each execution, forked from the checkpoint. */
#ifndef SIMUL_ZYGOTE_H
#define SIMUL_ZYGOTE_H

#include <stdbool.h>
#include <stdint.h>

/* Returns once for each execution, in the process that runs it; never in the zygote. */
void zygote(void);
/* Returns whether this process, or one that was forked from it, may run executions now. */
bool zygote_has_turn(void);
/* Returns the turn of this process, or of the one that it was forked from; 0 in the zygote. */
uint32_t zygote_turn(void);
/* Call it when the running execution has ended. Starts the next one from this process if possible. */
void zygote_pass_on(void);

#endif
