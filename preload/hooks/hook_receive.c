/* Receiving from sockets. */
#include "preload/base/real.h"

#include <errno.h>
#include <string.h>

#include "preload/accesses/landing.h"
#include "preload/base/sys.h"
#include "preload/control/ctl.h"
#include "preload/hooks/fd_io.h"
#include "preload/hooks/socket.h"
#include "preload/kernel/descriptors.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/own_files.h"

#include "preload/base/rules.h"

/* Replaces the kernel's pid by the pid that the program sees, in a control message with credentials. */
static void received_credentials(struct cmsghdr *c)
{
	struct ucred peer;

	if (c->cmsg_type != SCM_CREDENTIALS || c->cmsg_len < CMSG_LEN(sizeof(peer)))
		return;
	memcpy(&peer, CMSG_DATA(c), sizeof(peer));
	socket_name_peer(&peer);
	memcpy(CMSG_DATA(c), &peer, sizeof(peer));
}

/* Handles control messages: adds descriptors that came with the message to the table, and corrects credentials. */
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

/* Waits, and receives the bytes that are there. Returns their number, or -errno. */
static ssize_t receive_once(
	struct open_file *f, int fd, struct msghdr *msg, int flags, const void *pc)
{
	int err = socket_wait(f, fd, POLLIN, flags & (MSG_DONTWAIT | MSG_ERRQUEUE), true, pc);

	if (err)
		return -err;
	ssize_t r = sys_call3(SYS_recvmsg, fd, (long)msg, flags & ~MSG_WAITALL);

	if (r >= 0)
		received_control(msg);
	return r;
}

/* Receives n bytes (MSG_WAITALL), in as many events as needed. Returns the number received: fewer than n at the end of the stream or after
   an error; -errno if the error came first. */
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

static bool waits_for_all(int fd, int flags)
{
	return (flags & MSG_WAITALL) && !(flags & (MSG_PEEK | MSG_DONTWAIT)) && socket_is_stream(fd);
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
	if (addr)
		own_files_unknown(fd, pc);
	if (waits_for_all(fd, flags))
		r = receive_all(f, fd, buf, n, flags, pc);
	else
		r = receive_once(f, fd, &msg, flags, pc);
	if (r < 0)
		return hook_fail((int)-r);
	if (addr && len)
		*len = msg.msg_namelen;
	return fd_done(r);
}

static ssize_t seen_recv(int fd, void *buf, size_t n, int flags, struct sockaddr *addr, socklen_t *len, const void *pc)
{
	struct landing l;
	void *at = landing_begin(&l, buf, n, (uintptr_t)pc);

	struct peer p;

	peer_begin(&p, addr, len, pc);
	if (!ctl_enter())
		return real_recvfrom(fd, buf, n, flags, addr, len);
	ssize_t r = WITH_DESCRIPTOR(fd, held, pc, do_recv(held, at, n, flags, peer_address(&p), peer_size(&p), pc));

	landing_end(&l, r, (uintptr_t)pc);
	if (r >= 0)
		peer_end(&p, pc);
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

/* Fills the rest of the buffers of msg after the first `got` bytes (MSG_WAITALL). Returns the number of bytes received in all. */
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
	own_files_unknown(fd, pc);
	ssize_t r = receive_once(f, fd, msg, flags, pc);

	if (r > 0 && waits_for_all(fd, flags))
		r = receive_rest(f, fd, msg, r, flags, pc);
	return r < 0 ? hook_fail((int)-r) : fd_done(r);
}

/* The call gets a copy of *msg, so that *msg stays unchanged if the thread is cancelled during the call. */
static ssize_t seen_recvmsg(int fd, struct msghdr *msg, int flags, const void *pc)
{
	struct vector_landing l;
	struct landing name, control;

	range_touch(msg, sizeof(*msg), MEM_READ, (uintptr_t)pc);
	struct msghdr own = *msg;

	own.msg_name = landing_begin(&name, msg->msg_name, msg->msg_name ? msg->msg_namelen : 0, (uintptr_t)pc);
	own.msg_control = landing_begin(&control, msg->msg_control, msg->msg_control ? msg->msg_controllen : 0, (uintptr_t)pc);
	own.msg_iov = (struct iovec *)(uintptr_t)vector_landing_begin(&l, msg->msg_iov, &own.msg_iovlen, (uintptr_t)pc);
	ssize_t r = ctl_enter() ? WITH_DESCRIPTOR(fd, held, pc, do_recvmsg(held, &own, flags, pc)) : real_recvmsg(fd, &own, flags);

	vector_landing_end(&l, r, (uintptr_t)pc);
	landing_end(&name, r < 0 ? 0 : (ssize_t)own.msg_namelen, (uintptr_t)pc);
	landing_end(&control, r < 0 ? 0 : (ssize_t)own.msg_controllen, (uintptr_t)pc);
	if (r >= 0) {
		range_put(&msg->msg_namelen, &own.msg_namelen, sizeof(own.msg_namelen), (uintptr_t)pc);
		range_put(&msg->msg_controllen, &own.msg_controllen, sizeof(own.msg_controllen), (uintptr_t)pc);
		range_put(&msg->msg_flags, &own.msg_flags, sizeof(own.msg_flags), (uintptr_t)pc);
	}
	return r;
}

ssize_t recvmsg(int fd, struct msghdr *msg, int flags)
{
	return seen_recvmsg(fd, msg, flags, __builtin_return_address(0));
}

/* Does a recvmmsg on a descriptor that is not modelled. */
static int plain_recvmmsg(int fd, struct mmsghdr *vec, unsigned n, int flags, struct timespec *ts, const void *pc)
{
	bool seen = watched();

	for (unsigned i = 0; seen && i < n; i++)
		range_vectors_write(vec[i].msg_hdr.msg_iov, vec[i].msg_hdr.msg_iovlen, (uintptr_t)pc);
	int r = real_recvmmsg(fd, vec, n, flags, ts);

	for (int i = 0; seen && i < r; i++)
		range_vectors_written(vec[i].msg_hdr.msg_iov, vec[i].msg_hdr.msg_iovlen, vec[i].msg_len, (uintptr_t)pc);
	return r;
}

static bool is_modelled(int fd)
{
	if (!ctl_enter())
		return false;
	bool modelled = fd_lookup(fd);

	ctl_leave();
	return modelled;
}

/* Each message is an event. Ignores the timeout: the kernel checks it only after each message, so it ends no wait. */
int recvmmsg(int fd, struct mmsghdr *vec, unsigned n, int flags, struct timespec *ts)
{
	const void *pc = __builtin_return_address(0);
	unsigned got = 0;

	if (!is_modelled(fd))
		return plain_recvmmsg(fd, vec, n, flags, ts, pc);
	for (; got < n; got++) {
		int how = (got && (flags & MSG_WAITFORONE) ? MSG_DONTWAIT : 0) | (flags & ~MSG_WAITFORONE);
		ssize_t r = seen_recvmsg(fd, &vec[got].msg_hdr, how, pc);

		if (r < 0 && !got)
			return -1;
		if (r < 0)
			break;
		range_put(&vec[got].msg_len, &(unsigned){ (unsigned)r }, sizeof(unsigned), (uintptr_t)pc);
	}
	return (int)got;
}
