/* --jobs: how many workers there may be, and how many there were. */
#ifndef SIMUL_JOBS_H
#define SIMUL_JOBS_H

#include <stddef.h>

#include "cli/run.h"

/* The processors that this process may use, by its affinity and by the quota of its control group; at least 1. */
unsigned jobs_default(void);

/* Prepares run->workers and the memory that they share. false: one message was printed. */
bool jobs_open(struct run *run);
void jobs_close(struct run *run);

/* Why there were less than wanted; "" when there were not, or when the search was over too early. */
void jobs_why(const struct run *run, char *why, size_t size);

#endif
