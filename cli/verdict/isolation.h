/* How executions were isolated: as requested, or by the method that the target fell back to. */
#ifndef SIMUL_CLI_ISOLATION_H
#define SIMUL_CLI_ISOLATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/run.h"

/* Returns "fork", "exec" or "rewind". why: the reason if it is not the requested one, else "". */
const char *isolation_used(const struct run *run, char *why, size_t size);
/* Returns whether the search ended because fibers cannot run the program, and may start again with kernel threads. Sets run->kernel_threads_for. */
bool isolation_needs_kernel_threads(struct run *run);
/* why: the reason for kernel threads that were not requested; "": there is none. */
void isolation_threads_reason(const struct run *run, char *why, size_t size);
/* The word for an enum page_scan: "unused", "used" or "missing". */
const char *page_scan_text(uint32_t page_scan);

#endif
