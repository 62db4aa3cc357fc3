/* What the hooks of reads, writes and sockets share; all inside control. */
#ifndef SIMUL_FD_IO_H
#define SIMUL_FD_IO_H

#include <stdbool.h>
#include <sys/types.h>

#include "preload/kernel/fd.h"

/* Leave control and return -1 with errno / r with errno as it is. */
ssize_t fd_fail(int err);
ssize_t fd_done(ssize_t r);
/* Waits until fd is ready for `events`, or not at all with `try` or O_NONBLOCK. false: EINTR. */
bool fd_wait_for(struct open_file *f, int fd, short events, bool try, const void *pc);
/* write(2) with its blocking semantics, in as many events as it takes; bytes or -errno. */
ssize_t fd_write_all(struct open_file *f, int fd, const void *buf, size_t n, const void *pc);
/* SIGPIPE to the running thread. */
void fd_broken_pipe(void);

#endif
