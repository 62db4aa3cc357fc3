/* How executions were isolated: as requested, or by the method that the target fell back to. */
#ifndef SIMUL_CLI_ISOLATION_H
#define SIMUL_CLI_ISOLATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/session.h"

struct search;

/* Returns "fork", "exec" or "rewind". why: the reason if it is not the requested one, else "". */
const char *isolation_used(const struct session_config *config, const struct session *session, char *why, size_t size);
/* Returns whether the search, which found that many bugs, ended because fibers cannot run the program, and may start again with kernel threads. Sets
   `call` to the call for which the program needs them. */
bool isolation_needs_kernel_threads(const struct search *search, size_t bugs, char call[SESSION_MESSAGE]);
/* call: as isolation_needs_kernel_threads set it. why: the reason for kernel threads that were not requested; "": there is none. */
void isolation_threads_reason(const struct session_config *config, const char *call, char *why, size_t size);
/* The word for an enum page_scan: "unused", "used" or "missing". */
const char *page_scan_text(uint32_t page_scan);

#endif
