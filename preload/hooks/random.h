/* Seeded random bytes for the program: a stream for each thread, so that what one draws does not depend
   on the others. */
#ifndef SIMUL_RANDOM_H
#define SIMUL_RANDOM_H

#include <stddef.h>

void random_fill(void *buf, size_t n);

#endif
