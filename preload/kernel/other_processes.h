/*
 * Other processes that have mapped the same memory. Slow, since it looks through /proc: for the checkpoint, and for an execution that has
 * ended.
 */
#ifndef SIMUL_OTHER_PROCESSES_H
#define SIMUL_OTHER_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>

/* A file, or memory without one, as /proc/PID/maps names it (struct mapping). */
struct others_file {
	uint64_t dev, ino;
};

/* Does another process map any of the `n` files? Of simul's own processes, which have the session mapped, only those count that the calling
   one has started: they are the program's. Processes that may not be looked at do not count. */
bool others_map(const struct others_file *file, unsigned n);

#endif
