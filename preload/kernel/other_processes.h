/*
 * Other processes that have mapped the same memory. The search looks through /proc, which is slow: use it at the checkpoint and at the end
 * of an execution only.
 */
#ifndef SIMUL_OTHER_PROCESSES_H
#define SIMUL_OTHER_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>

/* A file, or memory without one, as /proc/PID/maps names it (struct mapping). */
struct others_file {
	uint64_t dev, ino;
};

/* Returns whether another process maps any of the `n` files. A process that also maps the session is simul's own, unless the calling
   process started it; simul's own do not count. Nor do processes whose maps cannot be read. */
bool others_map(const struct others_file *file, unsigned n);

#endif
