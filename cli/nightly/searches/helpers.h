/* `simul run --search URL --jobs N`: the workers of this machine beside the first one. */
#ifndef SIMUL_SEARCHES_HELPERS_H
#define SIMUL_SEARCHES_HELPERS_H

#include <stdbool.h>
#include <stdint.h>

struct helpers;

/* Starts `simul work` with n processes that help with this search only (its id in the database). false: one message was printed. */
bool helpers_start(struct helpers **h, const char *url, const char *search, uint32_t n);
/* Ends them, waits until they have handed back their work, and prints why one of them could not help. NULL: does nothing. */
void helpers_stop(struct helpers *h);

#endif
