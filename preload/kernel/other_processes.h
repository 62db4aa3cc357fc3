/*
 * Finds other processes that have mapped the same memory, or hold the same pipe. This reads /proc, which is slow: use it only at the
 * checkpoint, at the end of an execution, or when no thread can continue.
 */
#ifndef SIMUL_OTHER_PROCESSES_H
#define SIMUL_OTHER_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>

/* A mapped file, or shared memory without a file, as /proc/PID/maps identifies it (struct mapping). */
struct others_file {
	uint64_t dev, ino;
};

/* Returns the file of the session, which only processes with simul's library map. */
struct others_file others_session(void);

/* Returns whether another process maps any of the `n` files. Ignores simul's own processes: those that also map the session, unless the
   calling process started them. Ignores processes whose maps cannot be read. */
bool others_map(const struct others_file *file, unsigned n);

/* Returns whether another process has a descriptor of the file of this type ("pipe" or "socket") with this inode number. Executions do not
   share pipes and socket pairs, so it is none of simul's own. */
bool others_hold_file(const char *type, uint64_t ino);

#endif
