/* The function that new code calls after an access: see x86_64/after.S. */
#ifndef SIMUL_AFTER_H
#define SIMUL_AFTER_H

#include <stdint.h>

/* 1: the access was an event of the prefix. */
extern __thread uint8_t after_pending;

void after_stub(void);
/* Called by the stub when after_pending is 1. */
void after_performed(void);

#endif
