/*
 * Sockets. A socket pair is an object, and all other sockets together are one object. Sending and receiving wait like reads and writes.
 * With a timeout of the socket (SO_RCVTIMEO, SO_SNDTIMEO) the call is a timed one, which never waits.
 */
#include "preload/base/real.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/un.h>

#include "preload/control/ctl.h"
#include "preload/kernel/file_effects.h"
#include "preload/kernel/fd.h"
#include "preload/hooks/fd_io.h"
#include "preload/kernel/process.h"
#include "preload/accesses/ranges.h"
#include "preload/life/worker.h"
#include "preload/base/sys.h"
#include "preload/control/vtime.h"

#include "preload/base/rules.h"

static int new_socket(int fd)
{
	if (fd >= 0 && ctl_enter()) {
		outside_note("opens sockets");
		fd_assign(fd, fd_network());
		ctl_leave();
	}
	return fd;
}

int socket(int domain, int type, int protocol)
{
	return new_socket(real_socket(domain, type, protocol));
}

/* ---- calls that never wait, but are events ---- */

static void touch(int fd, const void *pc)
{
	struct open_file *f = fd_lookup(fd);

	if (f)
		fd_touch(f, pc);
}

/* A Unix socket with a name is a file, which bind creates. */
static struct effect effect_bind(const struct sockaddr *addr, socklen_t len)
{
	char path[sizeof(struct sockaddr_un)] = {0};
	size_t before = offsetof(struct sockaddr_un, sun_path);

	if (addr && addr->sa_family == AF_UNIX && len > before && len - before < sizeof(path))
		memcpy(path, (const char *)addr + before, len - before);
	return effect_on(AT_FDCWD, path, EFFECT_NEW);
}

int bind(int fd, const struct sockaddr *addr, socklen_t len)
{
	if (!ctl_enter())
		return real_bind(fd, addr, len);
	touch(fd, __builtin_return_address(0));
	ctl_leave();
	struct effect e = effect_bind(addr, len);

	return effect_done(&e, real_bind(fd, addr, len));
}

int listen(int fd, int backlog)
{
	if (!ctl_enter())
		return real_listen(fd, backlog);
	touch(fd, __builtin_return_address(0));
	return (int)fd_done(real_listen(fd, backlog));
}

int shutdown(int fd, int how)
{
	if (!ctl_enter())
		return real_shutdown(fd, how);
	touch(fd, __builtin_return_address(0));
	return (int)fd_done(real_shutdown(fd, how));
}

static bool is_local(const struct sockaddr *addr)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)addr;
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)addr;

	if (addr->sa_family == AF_INET)
		return ntohl(v4->sin_addr.s_addr) >> 24 == 127 || v4->sin_addr.s_addr == 0;
	if (addr->sa_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr) || IN6_IS_ADDR_UNSPECIFIED(&v6->sin6_addr);
	return true;
}

/* A connection on the loopback interface completes at once if the listener's queue has room. */
int connect(int fd, const struct sockaddr *addr, socklen_t len)
{
	if (!ctl_enter())
		return real_connect(fd, addr, len);
	touch(fd, __builtin_return_address(0));
	if (addr && len >= sizeof(struct sockaddr_in) && !is_local(addr))
		fd_network()->external = true;
	return (int)fd_done(real_connect(fd, addr, len));
}

/* ---- waiting with the socket's own timeout ---- */

/* The virtual deadline that SO_RCVTIMEO or SO_SNDTIMEO sets; OP_NO_DEADLINE without one. */
static uint64_t socket_deadline(int fd, int option)
{
	struct timeval tv = {0};
	socklen_t len = sizeof(tv);

	if (sys_call5(SYS_getsockopt, fd, SOL_SOCKET, option, (long)&tv, (long)&len) ||
		(!tv.tv_sec && !tv.tv_usec))
		return OP_NO_DEADLINE;
	struct timespec ts = {tv.tv_sec, tv.tv_usec * 1000};

	return ctl_deadline_rel(&ts);
}

/* Waits until the socket is ready. Returns 0, EINTR, or EAGAIN when the socket's timeout has passed. */
static int wait_socket(struct open_file *f, int fd, short events, bool try, const void *pc)
{
	bool out = events & POLLOUT;
	struct fd_request req = {
		.kind = out ? EV_FD_WRITE : EV_FD_READ,
		.fd = fd,
		.events = events,
		.flags = try || fd_nonblocking(fd) ? FD_TRY : 0,
		.deadline = OP_NO_DEADLINE,
		.pc = pc,
	};

	if (!(req.flags & FD_TRY))
		req.deadline = socket_deadline(fd, out ? SO_SNDTIMEO : SO_RCVTIMEO);
	if (fd_perform(f, &req) == CTL_EINTR)
		return EINTR;
	struct pollfd p = {.fd = fd, .events = events};

	if (req.deadline == OP_NO_DEADLINE || sys_poll(&p, 1, 0) != 0)
		return 0;
	world_advance(ctl_world, ctl_self(), req.deadline);
	return EAGAIN;
}

/* ---- accept ---- */

static int do_accept(int fd, struct sockaddr *addr, socklen_t *len, int flags, const void *pc)
{
	struct open_file *f = fd_lookup(fd);
	int err = f ? wait_socket(f, fd, POLLIN, false, pc) : 0;

	if (err)
		return (int)fd_fail(err);
	int r = real_accept4(fd, addr, len, flags);

	if (r >= 0)
		fd_assign(r, fd_network());
	return (int)fd_done(r);
}

int accept(int fd, struct sockaddr *restrict addr, socklen_t *restrict len)
{
	if (!ctl_enter())
		return real_accept(fd, addr, len);
	return do_accept(fd, addr, len, 0, __builtin_return_address(0));
}

int accept4(int fd, struct sockaddr *restrict addr, socklen_t *restrict len, int flags)
{
	if (!ctl_enter())
		return real_accept4(fd, addr, len, flags);
	return do_accept(fd, addr, len, flags, __builtin_return_address(0));
}

/* ---- receive ---- */

/* Replaces the kernel's pid of the running process by the pid that the program sees. */
static void name_peer(struct ucred *peer)
{
	if (peer->pid == sys_getpid())
		peer->pid = process_pid();
}

/* Does that in a control message with credentials. */
static void received_credentials(struct cmsghdr *c)
{
	struct ucred peer;

	if (c->cmsg_type != SCM_CREDENTIALS || c->cmsg_len < CMSG_LEN(sizeof(peer)))
		return;
	memcpy(&peer, CMSG_DATA(c), sizeof(peer));
	name_peer(&peer);
	memcpy(CMSG_DATA(c), &peer, sizeof(peer));
}

/* Handles control messages: descriptors that came with the message are new to the table, and credentials name a process. */
static void received_control(const struct msghdr *msg)
{
	if (!msg->msg_control || msg->msg_controllen < sizeof(struct cmsghdr))
		return;
	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR((struct msghdr *)msg, c)) {
		if (c->cmsg_level != SOL_SOCKET)
			continue;
		if (c->cmsg_type != SCM_RIGHTS) {
			received_credentials(c);
			continue;
		}
		for (size_t at = 0; at + sizeof(int) <= c->cmsg_len - CMSG_LEN(0); at += sizeof(int)) {
			int fd;

			memcpy(&fd, CMSG_DATA(c) + at, sizeof(fd));
			fd_forget(fd);
		}
	}
}

/* Waits, and receives what there is. Returns the number of bytes, or -errno. */
static ssize_t receive_once(
	struct open_file *f, int fd, struct msghdr *msg, int flags, const void *pc)
{
	int err = wait_socket(f, fd, POLLIN, flags & (MSG_DONTWAIT | MSG_ERRQUEUE), pc);

	if (err)
		return -err;
	ssize_t r = sys_call3(SYS_recvmsg, fd, (long)msg, flags & ~MSG_WAITALL);

	if (r >= 0)
		received_control(msg);
	return r;
}

/* Receives n bytes (MSG_WAITALL), in as many events as needed. Returns fewer at the end of the stream or on an error; -errno if there are
   none. */
static ssize_t receive_all(struct open_file *f, int fd, void *buf, size_t n, int flags, const void *pc)
{
	size_t done = 0;

	while (done < n) {
		struct iovec iov = {(char *)buf + done, n - done};
		struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
		ssize_t r = receive_once(f, fd, &msg, flags, pc);

		if (r < 0 && !done)
			return r;
		if (r <= 0)
			break;
		done += (size_t)r;
	}
	return (ssize_t)done;
}

static bool is_stream(int fd)
{
	int type = 0;
	socklen_t len = sizeof(type);

	return !sys_call5(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, (long)&type, (long)&len) &&
		type == SOCK_STREAM;
}

static bool waits_for_all(int fd, int flags)
{
	return (flags & MSG_WAITALL) && !(flags & (MSG_PEEK | MSG_DONTWAIT)) && is_stream(fd);
}

static ssize_t do_recv(int fd, void *buf, size_t n, int flags, struct sockaddr *addr, socklen_t *len,
	const void *pc)
{
	struct open_file *f = fd_lookup(fd);
	struct iovec iov = {buf, n};
	struct msghdr msg = {.msg_name = addr, .msg_namelen = addr && len ? *len : 0, .msg_iov = &iov,
		.msg_iovlen = 1};
	ssize_t r;

	if (!f)
		return fd_done(real_recvfrom(fd, buf, n, flags, addr, len));
	if (waits_for_all(fd, flags))
		r = receive_all(f, fd, buf, n, flags, pc);
	else
		r = receive_once(f, fd, &msg, flags, pc);
	if (r < 0)
		return fd_fail((int)-r);
	if (addr && len)
		*len = msg.msg_namelen;
	return fd_done(r);
}

static ssize_t seen_recv(int fd, void *buf, size_t n, int flags, struct sockaddr *addr, socklen_t *len, const void *pc)
{
	struct landing l;
	void *at = landing_begin(&l, buf, n, (uintptr_t)pc);

	if (watched() && addr && len)
		range_touch(addr, *len, MEM_WRITE, (uintptr_t)pc);
	ssize_t r = ctl_enter() ? do_recv(fd, at, n, flags, addr, len, pc) : real_recvfrom(fd, at, n, flags, addr, len);

	landing_end(&l, r, (uintptr_t)pc);
	return r;
}

ssize_t recv(int fd, void *buf, size_t n, int flags)
{
	return seen_recv(fd, buf, n, flags, NULL, NULL, __builtin_return_address(0));
}

ssize_t __recv_chk(int fd, void *buf, size_t n, size_t room, int flags)
{
	if (n > room)
		return real___recv_chk(fd, buf, n, room, flags);
	return seen_recv(fd, buf, n, flags, NULL, NULL, __builtin_return_address(0));
}

ssize_t recvfrom(int fd, void *restrict buf, size_t n, int flags, struct sockaddr *restrict addr,
	socklen_t *restrict len)
{
	return seen_recv(fd, buf, n, flags, addr, len, __builtin_return_address(0));
}

ssize_t __recvfrom_chk(int fd, void *restrict buf, size_t n, size_t room, int flags,
	struct sockaddr *restrict addr, socklen_t *restrict len)
{
	if (n > room)
		return real___recvfrom_chk(fd, buf, n, room, flags, addr, len);
	return seen_recv(fd, buf, n, flags, addr, len, __builtin_return_address(0));
}

/* Receives what is missing in the buffers of msg after the first `got` bytes (MSG_WAITALL). Returns the bytes received in all. */
static ssize_t receive_rest(struct open_file *f, int fd, const struct msghdr *msg, ssize_t got, int flags, const void *pc)
{
	size_t skip = (size_t)got;

	for (size_t i = 0; i < msg->msg_iovlen; i++) {
		const struct iovec *iov = &msg->msg_iov[i];
		size_t full = skip < iov->iov_len ? skip : iov->iov_len, n = iov->iov_len - full;

		skip -= full;
		ssize_t r = receive_all(f, fd, (char *)iov->iov_base + full, n, flags, pc);

		got += r > 0 ? r : 0;
		if (r < 0 || (size_t)r < n)
			break;
	}
	return got;
}

static ssize_t do_recvmsg(int fd, struct msghdr *msg, int flags, const void *pc)
{
	struct open_file *f = fd_lookup(fd);

	if (!f)
		return fd_done(real_recvmsg(fd, msg, flags));
	ssize_t r = receive_once(f, fd, msg, flags, pc);

	if (r > 0 && waits_for_all(fd, flags))
		r = receive_rest(f, fd, msg, r, flags, pc);
	return r < 0 ? fd_fail((int)-r) : fd_done(r);
}

ssize_t recvmsg(int fd, struct msghdr *msg, int flags)
{
	const void *pc = __builtin_return_address(0);
	bool seen = watched();

	if (seen)
		range_vectors_write(msg->msg_iov, msg->msg_iovlen, (uintptr_t)pc);
	ssize_t r = ctl_enter() ? do_recvmsg(fd, msg, flags, pc) : real_recvmsg(fd, msg, flags);

	if (seen)
		range_vectors_written(msg->msg_iov, msg->msg_iovlen, r, (uintptr_t)pc);
	return r;
}

/* The kernel checks the timeout only after each message, so it ends no wait and is ignored here. */
int recvmmsg(int fd, struct mmsghdr *vec, unsigned n, int flags, struct timespec *ts)
{
	const void *pc = __builtin_return_address(0);
	unsigned got = 0;

	if (!ctl_enter())
		return real_recvmmsg(fd, vec, n, flags, ts);
	struct open_file *f = fd_lookup(fd);

	if (!f)
		return (int)fd_done(real_recvmmsg(fd, vec, n, flags, ts));
	for (; got < n; got++) {
		int how = (got && (flags & MSG_WAITFORONE) ? MSG_DONTWAIT : 0) | (flags & ~MSG_WAITFORONE);
		ssize_t r = receive_once(f, fd, &vec[got].msg_hdr, how, pc);

		if (r < 0 && !got)
			return (int)fd_fail((int)-r);
		if (r < 0)
			break;
		vec[got].msg_len = (unsigned)r;
	}
	return (int)fd_done(got);
}

/* ---- send ---- */

/* Waits, and sends what fits. Returns the number of bytes, or -errno. */
static ssize_t send_once(
	struct open_file *f, int fd, const struct msghdr *msg, int flags, const void *pc)
{
	for (;;) {
		bool try = (flags & MSG_DONTWAIT) || fd_nonblocking(fd);
		int err = wait_socket(f, fd, POLLOUT, try, pc);

		if (err)
			return -err;
		ssize_t r = sys_call3(SYS_sendmsg, fd, (long)msg, flags | MSG_DONTWAIT | MSG_NOSIGNAL);

		if (r == -EPIPE && !(flags & MSG_NOSIGNAL) && is_stream(fd))
			fd_broken_pipe();
		if (r != -EAGAIN || try)
			return r;
	}
}

/* Sends the rest of the message after the first `sent` bytes: a blocking send on a stream sends everything. Returns the bytes sent in all.
   */
static ssize_t send_rest(struct open_file *f, int fd, const struct msghdr *msg, ssize_t sent, int flags,
	const void *pc)
{
	size_t skip = (size_t)sent;

	for (size_t i = 0; i < msg->msg_iovlen; i++) {
		struct iovec iov = msg->msg_iov[i];
		size_t n = skip < iov.iov_len ? skip : iov.iov_len;

		skip -= n;
		iov.iov_base = (char *)iov.iov_base + n;
		iov.iov_len -= n;
		while (iov.iov_len) {
			struct msghdr one = {.msg_iov = &iov, .msg_iovlen = 1};
			ssize_t r = send_once(f, fd, &one, flags, pc);

			if (r <= 0)
				return sent;
			sent += r;
			iov.iov_base = (char *)iov.iov_base + r;
			iov.iov_len -= (size_t)r;
		}
	}
	return sent;
}

static ssize_t do_sendmsg(int fd, const struct msghdr *msg, int flags, const void *pc)
{
	struct open_file *f = fd_lookup(fd);

	if (!f)
		return fd_done(real_sendmsg(fd, msg, flags));
	ssize_t r = send_once(f, fd, msg, flags, pc);

	if (r < 0)
		return fd_fail((int)-r);
	if (!(flags & MSG_DONTWAIT) && !fd_nonblocking(fd) && is_stream(fd))
		r = send_rest(f, fd, msg, r, flags, pc);
	return fd_done(r);
}

static ssize_t do_send(int fd, const void *buf, size_t n, int flags, const struct sockaddr *addr,
	socklen_t len, const void *pc)
{
	struct iovec iov = {(void *)(uintptr_t)buf, n};
	struct msghdr msg = {.msg_name = (void *)(uintptr_t)addr, .msg_namelen = addr ? len : 0,
		.msg_iov = &iov, .msg_iovlen = 1};

	return do_sendmsg(fd, &msg, flags, pc);
}

static ssize_t seen_send(int fd, const void *buf, size_t n, int flags, const struct sockaddr *addr, socklen_t len, const void *pc)
{
	struct kept k;

	if (watched() && addr)
		range_read(addr, len, (uintptr_t)pc);
	if (watched() && range_read(buf, n, (uintptr_t)pc))
		buf = range_keep(&k, buf, n);
	return ctl_enter() ? do_send(fd, buf, n, flags, addr, len, pc) : real_sendto(fd, buf, n, flags, addr, len);
}

ssize_t send(int fd, const void *buf, size_t n, int flags)
{
	return seen_send(fd, buf, n, flags, NULL, 0, __builtin_return_address(0));
}

ssize_t __send(int fd, const void *buf, size_t n, int flags)
{
	return seen_send(fd, buf, n, flags, NULL, 0, __builtin_return_address(0));
}

ssize_t sendto(int fd, const void *buf, size_t n, int flags, const struct sockaddr *addr, socklen_t len)
{
	return seen_send(fd, buf, n, flags, addr, len, __builtin_return_address(0));
}

ssize_t sendmsg(int fd, const struct msghdr *msg, int flags)
{
	if (watched())
		range_vectors_read(msg->msg_iov, msg->msg_iovlen, (uintptr_t)__builtin_return_address(0));
	if (!ctl_enter())
		return real_sendmsg(fd, msg, flags);
	return do_sendmsg(fd, msg, flags, __builtin_return_address(0));
}

int sendmmsg(int fd, struct mmsghdr *vec, unsigned n, int flags)
{
	const void *pc = __builtin_return_address(0);
	unsigned sent = 0;

	if (!ctl_enter())
		return real_sendmmsg(fd, vec, n, flags);
	for (; sent < n; sent++) {
		ssize_t r = do_sendmsg(fd, &vec[sent].msg_hdr, flags, pc);

		ctl_force_enter();
		if (r < 0)
			break;
		vec[sent].msg_len = (unsigned)r;
	}
	ctl_leave();
	return sent || !n ? (int)sent : -1;
}

/* ---- the process at the other end ---- */

int getsockopt(int fd, int level, int option, void *restrict value, socklen_t *restrict len)
{
	int r = real_getsockopt(fd, level, option, value, len);

	if (r == 0 && level == SOL_SOCKET && option == SO_PEERCRED && *len == sizeof(struct ucred) && ctl_enter()) {
		name_peer(value);
		ctl_leave();
	}
	return r;
}
