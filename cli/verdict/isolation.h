/* How executions were kept apart: what was asked for, or what the target fell back to. */
#ifndef SIMUL_CLI_ISOLATION_H
#define SIMUL_CLI_ISOLATION_H

#include <stddef.h>
#include <stdint.h>

#include "cli/run.h"

/* "fork", "exec" or "rewind". why: the reason when it is not what was asked for, else "". */
const char *isolation_used(const struct run *run, char *why, size_t size);
/* The word for an enum page_scan: "unused", "used" or "missing". */
const char *page_scan_text(uint32_t page_scan);

#endif
