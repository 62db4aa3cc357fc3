/* Whether executions are too short to be shared by machines: docs/howto-machines.md. */
#ifndef SIMUL_FINE_H
#define SIMUL_FINE_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether sharing executions of this many seconds, waiting included, gains little or nothing. NAN, which means
   unknown: false. */
bool fine_is(double seconds);
/* Writes the advice for such executions, without a full stop. */
void fine_text(char *buf, size_t size, double seconds);

#endif
