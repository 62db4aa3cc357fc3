/* What the hooks of sockets share. All functions are called between ctl_enter and ctl_leave. */
#ifndef SIMUL_SOCKET_H
#define SIMUL_SOCKET_H

#include <stdbool.h>
#include <sys/socket.h>

#include "preload/kernel/fd.h"

/* Waits until the socket is ready for `events` (POLLIN or POLLOUT), or until its timeout (SO_RCVTIMEO, SO_SNDTIMEO). With `try` or
   O_NONBLOCK it does not wait. Returns 0, EINTR when a signal handler interrupted it, or EAGAIN when the timeout has passed. */
int socket_wait(struct open_file *f, int fd, short events, bool try, const void *pc);

/* Returns whether fd is a stream socket. */
bool socket_is_stream(int fd);

/* Replaces the kernel's pid of the running process by the pid that the program sees. */
void socket_name_peer(struct ucred *peer);

#endif
