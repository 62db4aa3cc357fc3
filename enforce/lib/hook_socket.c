/*
 * Stream socket pairs: making them, and the calls on them that other files do not have. The events are those of the
 * search (preload/hooks/hook_send.c, hook_receive.c); see hook_fd.c.
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
