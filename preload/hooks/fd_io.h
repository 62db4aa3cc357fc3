/* What the hooks of reads, writes and sockets share. All functions are called between ctl_enter and ctl_leave. */
#ifndef SIMUL_FD_IO_H
#define SIMUL_FD_IO_H

#include <stdbool.h>
#include <sys/types.h>

#include "preload/hooks/hook_fail.h"
#include "preload/kernel/fd.h"

/* Leaves simul (ctl_leave) and returns r. Keeps errno. */
ssize_t fd_done(ssize_t r);
/* Performs an event on f that waits until fd is ready for `events` (POLLIN or POLLOUT). flags: FD_*. With FD_TRY or
   O_NONBLOCK it does not wait. Returns false when a signal handler interrupted the wait: the hook then fails with
   EINTR. */
bool fd_wait_for(struct open_file *f, int fd, short events, unsigned flags, const void *pc);
/* Does what a write(2) of n bytes does, in as many events as needed. Blocks if fd blocks. Returns the number of bytes, or -errno. */
ssize_t fd_write_all(struct open_file *f, int fd, const void *buf, size_t n, const void *pc);
/* Sends SIGPIPE to the running thread. */
void fd_broken_pipe(void);

#endif
