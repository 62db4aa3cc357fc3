/*
 * Other processes that have mapped the same memory, or hold the same pipe. The search looks through /proc, which is slow: use it at the
 * checkpoint and at the end of an execution, or when no thread can continue.
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

/* Returns whether another process has a descriptor of the pipe with this inode number. Executions do not share pipes, so it is none of
   simul's own. */
bool others_hold_pipe(uint64_t ino);

#endif
