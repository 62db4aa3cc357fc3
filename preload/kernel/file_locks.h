/*
 * Locks of files: flock, and record locks by fcntl and lockf. The kernel keeps them. A thread that waits for one is a blocked thread of the
 * model, because a wait in the kernel would stop all threads. All functions are called inside simul.
 *
 * All locks of files are one object. Record locks of the process (F_SETLK, F_SETLKW, lockf) are no events while the program does not use
 * those of open file descriptions (F_OFD_SETLK), because threads of one process never exclude each other by them.
 */
#ifndef SIMUL_FILE_LOCKS_H
#define SIMUL_FILE_LOCKS_H

#include <fcntl.h>

/* Does what flock does. Returns 0 or -errno. */
long file_lock_whole(int fd, int operation, const void *pc);
/* Does what fcntl does with `cmd`: F_SETLK, F_SETLKW, F_OFD_SETLK or F_OFD_SETLKW. Returns 0 or -errno. */
long file_lock_record(int fd, int cmd, const struct flock *l, const void *pc);
/* Call it before fd is closed. Performs an event if that may release a lock. */
void file_lock_closing(int fd, const void *pc);

#endif
