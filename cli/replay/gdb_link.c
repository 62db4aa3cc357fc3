#include "cli/replay/gdb_link.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/base/say.h"

struct answer {
	char why[GDB_LINK_TEXT]; /* "": success, and the descriptors of the session are attached */
	int64_t in_offset;
	bool has_input;
};

enum { SESSION, OUT, ERR, IN, DESCRIPTORS };

bool gdb_link_open(int end[2])
{
	return !socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, end);
}

pid_t gdb_link_asked(int fd, int ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	pid_t pid;
	ssize_t n;

	if (poll(&p, 1, ms) <= 0)
		return 0;
	n = recv(fd, &pid, sizeof(pid), MSG_DONTWAIT);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	return n == sizeof(pid) && pid > 0 ? pid : -1;
}

void gdb_link_answer(int fd, const struct segment *seg, const struct capture *c, const char *why)
{
	struct answer a = {.why = ""};
	int fds[DESCRIPTORS], n = 0;
	union {
		char bytes[CMSG_SPACE(sizeof(fds))];
		struct cmsghdr align;
	} room = {.bytes = ""};
	struct iovec iov = {&a, sizeof(a)};
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};

	if (seg) {
		fds[n++] = seg->fd;
		fds[n++] = c->out_fd;
		fds[n++] = c->err_fd;
		a.has_input = c->in_fd >= 0;
		a.in_offset = c->in_offset;
		if (a.has_input)
			fds[n++] = c->in_fd;
		m.msg_control = room.bytes;
		m.msg_controllen = CMSG_SPACE((size_t)n * sizeof(int));
		*CMSG_FIRSTHDR(&m) = (struct cmsghdr){CMSG_LEN((size_t)n * sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
		memcpy(CMSG_DATA(CMSG_FIRSTHDR(&m)), fds, (size_t)n * sizeof(int));
	} else {
		text_set(a.why, sizeof(a.why), "%s", why);
	}
	while (sendmsg(fd, &m, MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
}

bool gdb_link_ask(int fd, struct segment *seg, struct capture *c, char why[GDB_LINK_TEXT])
{
	pid_t me = getpid();
	struct answer a;
	int fds[DESCRIPTORS] = {-1, -1, -1, -1};
	union {
		char bytes[CMSG_SPACE(sizeof(fds))];
		struct cmsghdr align;
	} room;
	struct iovec iov = {&a, sizeof(a)};
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof(room)};
	struct cmsghdr *got;
	ssize_t n;

	text_set(why, GDB_LINK_TEXT, "simul, which started gdb, is gone");
	if (send(fd, &me, sizeof(me), MSG_NOSIGNAL) != sizeof(me))
		return false;
	while ((n = recvmsg(fd, &m, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
		;
	if (n != sizeof(a))
		return false;
	if (a.why[0]) {
		memcpy(why, a.why, sizeof(a.why));
		return false;
	}
	got = CMSG_FIRSTHDR(&m);
	if (!got || got->cmsg_type != SCM_RIGHTS || got->cmsg_len < CMSG_LEN((a.has_input ? 4 : 3) * sizeof(int))) {
		text_set(why, GDB_LINK_TEXT, "no more files can be opened");
		return false;
	}
	memcpy(fds, CMSG_DATA(got), (a.has_input ? 4 : 3) * sizeof(int));
	*seg = (struct segment){.fd = fds[SESSION], .common_fd = -1};
	*c = (struct capture){.out_fd = fds[OUT], .err_fd = fds[ERR], .in_fd = fds[IN], .in_offset = a.in_offset};
	return true;
}
