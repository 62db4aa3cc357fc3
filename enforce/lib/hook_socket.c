/*
 * Stream sockets: making pairs and connections, and the calls on them that other files do not have. The events are
 * those of the search (preload/hooks/hook_socket.c, hook_send.c, hook_receive.c); see hook_fd.c.
 *
 * All sockets outside of socket pairs are one object, as in the search. So nothing binds the ends of a connection to
 * objects of the certificate, and each event on a socket waits for all earlier ones. A connection is in the queue of
 * its listening socket when connect returns, and connect comes before the accept that takes it. Another process may
 * connect first. The kernel knows the process at the other end (SO_PEERCRED).
 */
#include <sys/socket.h>
#include <sys/types.h>

#include "enforce/lib/file_event.h"

EXPORT int socketpair(int domain, int type, int protocol, int fd[2])
{
	int r = REAL(socketpair)(domain, type, protocol, fd);

	if (!r && (type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) == SOCK_STREAM)
		own_files_pair(fd);
	return r;
}

EXPORT int shutdown(int fd, int how)
{
	return ORDERED(EV_FD_OTHER, fd, true, REAL(shutdown)(fd, how));
}

/* ---- connections ---- */

EXPORT int bind(int fd, const struct sockaddr *at, socklen_t size)
{
	return ORDERED(EV_FD_OTHER, fd, true, REAL(bind)(fd, at, size));
}

EXPORT int listen(int fd, int backlog)
{
	return ORDERED(EV_FD_OTHER, fd, true, REAL(listen)(fd, backlog));
}

/* Makes the call, which connects a socket. `made`: the result is this socket; else it is fd. */
#define CONNECTED(kind, fd, never, made, call)                                                     \
	({                                                                                         \
		struct use use_;                                                                   \
		bool mine_ = own_files_use(fd, &use_) &&                                           \
			gate_begin(file_event_kind(kind, fd, never), &use_, 1);                    \
		int result_ = call;                                                                \
		if (mine_ && result_ >= 0)                                                         \
			own_files_connected(made ? result_ : fd);                                  \
		if (mine_)                                                                         \
			gate_end();                                                                \
		result_;                                                                           \
	})

EXPORT int connect(int fd, const struct sockaddr *to, socklen_t size)
{
	return CONNECTED(EV_FD_OTHER, fd, true, false, REAL(connect)(fd, to, size));
}

EXPORT int accept(int fd, struct sockaddr *restrict from, socklen_t *restrict size)
{
	return CONNECTED(EV_FD_READ, fd, false, true, REAL(accept)(fd, from, size));
}

EXPORT int accept4(int fd, struct sockaddr *restrict from, socklen_t *restrict size, int flags)
{
	return CONNECTED(EV_FD_READ, fd, false, true, REAL(accept4)(fd, from, size, flags));
}

/* ---- sending ---- */

static ssize_t send_some(const struct pieces *p, const char *buf, size_t n, bool mine)
{
	return REAL(send)(p->fd, buf, n, mine ? p->flags | MSG_DONTWAIT : p->flags);
}

static ssize_t ordered_send(int fd, const void *buf, size_t n, int flags)
{
	const struct pieces pieces = {.fd = fd, .flags = flags, .put = send_some};
	struct use use;

	if (own_files_use(fd, &use) && file_event_kind(EV_FD_WRITE, fd, flags & MSG_DONTWAIT) == EV_FD_WRITE)
		return file_event_pieces(&pieces, &use, buf, n);
	return ORDERED(EV_FD_OTHER, fd, true, REAL(send)(fd, buf, n, flags));
}

EXPORT ssize_t send(int fd, const void *buf, size_t n, int flags)
{
	return ordered_send(fd, buf, n, flags);
}

ssize_t __send(int fd, const void *buf, size_t n, int flags);
EXPORT ssize_t __send(int fd, const void *buf, size_t n, int flags)
{
	return ordered_send(fd, buf, n, flags);
}

EXPORT ssize_t sendto(int fd, const void *buf, size_t n, int flags, const struct sockaddr *to, socklen_t size)
{
	return to ? REAL(sendto)(fd, buf, n, flags, to, size) : ordered_send(fd, buf, n, flags);
}

/* ---- receiving ---- */

/* Receives once, and returns what is there. Sets *mine to whether this was an event of the prefix. */
static ssize_t receive_some(int fd, const struct use *use, void *buf, size_t n, int flags, bool *mine)
{
	ssize_t r;

	*mine = gate_begin(file_event_kind(EV_FD_READ, fd, flags & (MSG_DONTWAIT | MSG_ERRQUEUE)), use, 1);
	r = REAL(recv)(fd, buf, n, *mine ? flags & ~MSG_WAITALL : flags);
	if (*mine)
		gate_end();
	return r;
}

static ssize_t ordered_receive(int fd, void *buf, size_t n, int flags)
{
	bool all = flags & MSG_WAITALL && !(flags & (MSG_PEEK | MSG_DONTWAIT)), mine = true;
	struct use use;
	size_t done = 0;
	ssize_t r;

	if (!own_files_use(fd, &use))
		return REAL(recv)(fd, buf, n, flags);
	if (!all)
		return receive_some(fd, &use, buf, n, flags, &mine);
	while (done < n && mine) {
		r = receive_some(fd, &use, (char *)buf + done, n - done, flags, &mine);
		if (r < 0 && !done)
			return r;
		if (r <= 0)
			break;
		done += (size_t)r;
	}
	return (ssize_t)done;
}

EXPORT ssize_t recv(int fd, void *buf, size_t n, int flags)
{
	return ordered_receive(fd, buf, n, flags);
}

ssize_t __recv_chk(int fd, void *buf, size_t n, size_t room, int flags);
EXPORT ssize_t __recv_chk(int fd, void *buf, size_t n, size_t room, int flags)
{
	return n > room ? REAL(__recv_chk)(fd, buf, n, room, flags) : ordered_receive(fd, buf, n, flags);
}

EXPORT ssize_t recvfrom(int fd, void *restrict buf, size_t n, int flags, struct sockaddr *restrict from,
	socklen_t *restrict size)
{
	return from ? REAL(recvfrom)(fd, buf, n, flags, from, size) : ordered_receive(fd, buf, n, flags);
}
