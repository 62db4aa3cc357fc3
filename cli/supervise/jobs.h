/* --jobs: the allowed and the actual number of workers. */
#ifndef SIMUL_JOBS_H
#define SIMUL_JOBS_H

#include <stddef.h>

#include "cli/supervise/search.h"

/* Returns the number of processors that this process may use, by its affinity and the quota of its control group; at least 1. */
unsigned jobs_default(void);

/* Prepares search->workers and the memory that they share. false: one message was printed. */
bool jobs_open(struct search *search);
void jobs_close(struct search *search);

/* Writes why there were fewer workers than requested; "" if there were not, or if the search ended too early. */
void jobs_why(const struct search *search, char *why, size_t size);

#endif
