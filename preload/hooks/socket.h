/* What the hooks of sockets share. All functions are called between ctl_enter and ctl_leave. */
#ifndef SIMUL_SOCKET_H
#define SIMUL_SOCKET_H

#include <stdbool.h>
#include <sys/socket.h>

#include "preload/kernel/fd.h"

/* Waits until the socket is ready for `events` (POLLIN or POLLOUT), or until its timeout (SO_RCVTIMEO, SO_SNDTIMEO).
   With `try` or O_NONBLOCK it does not wait. `ordered`: simul enforce knows such a call. Returns 0, EINTR when a signal
   handler interrupted it, or EAGAIN when the timeout has passed. */
int socket_wait(struct open_file *f, int fd, short events, bool try, bool ordered, const void *pc);

/* Returns whether the program itself has bound a Unix socket to the address, which only its own threads can read. `listens`: the socket is also
   to accept connections. */
bool socket_is_here(const struct sockaddr *addr, socklen_t len, bool listens);

/* Returns whether fd is a stream socket. */
bool socket_is_stream(int fd);

/* The address that a call returns. The call writes it to `at`, because the program's memory must be written only after the wait. */
struct peer {
	struct sockaddr *to; /* the program's memory; NULL: the program does not want the address */
	socklen_t *to_size, room, size;
	struct sockaddr_storage at;
};
/* Call peer_begin before the call, and peer_end after the call has succeeded, both outside simul. */
void peer_begin(struct peer *p, struct sockaddr *to, socklen_t *size, const void *pc);
void peer_end(struct peer *p, const void *pc);
/* Returns the pointer that the call gets instead of the program's. */
static inline struct sockaddr *peer_address(struct peer *p)
{
	return p->to ? (struct sockaddr *)&p->at : NULL;
}
static inline socklen_t *peer_size(struct peer *p)
{
	return p->to ? &p->size : NULL;
}

/* Replaces the kernel's pid of the running process by the pid that the program sees. */
void socket_name_peer(struct ucred *peer);

#endif
