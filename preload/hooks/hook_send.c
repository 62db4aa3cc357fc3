/* Sending to sockets. */
#include "preload/base/real.h"

#include <errno.h>

#include "preload/accesses/landing.h"
#include "preload/base/sys.h"
#include "preload/control/ctl.h"
#include "preload/hooks/fd_io.h"
#include "preload/hooks/socket.h"
#include "preload/kernel/descriptors.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/own_files.h"

#include "preload/base/rules.h"

/* Waits for room, and sends the bytes that fit. Returns their number, or -errno. */
static ssize_t send_once(
	struct open_file *f, int fd, const struct msghdr *msg, int flags, const void *pc)
{
	for (;;) {
		bool try = (flags & MSG_DONTWAIT) || fd_nonblocking(fd);
		int err = socket_wait(f, fd, POLLOUT, try, true, pc);

		if (err)
			return -err;
		ssize_t r = sys_call3(SYS_sendmsg, fd, (long)msg, flags | MSG_DONTWAIT | MSG_NOSIGNAL);

		if (r == -EPIPE && !(flags & MSG_NOSIGNAL) && socket_is_stream(fd))
			fd_broken_pipe();
		if (r != -EAGAIN || try)
			return r;
		if (socket_is_here(msg->msg_name, msg->msg_namelen, false) && !fd_await_change(f, pc))
			return -EINTR; /* the receiver's queue is full; poll looks only at the sender's */
	}
}

/* Sends the rest of the message after the first `sent` bytes, because a blocking send on a stream sends everything. Returns the number of
   bytes sent in all. */
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

static ssize_t send_message(int fd, const struct msghdr *msg, int flags, const void *pc)
{
	struct open_file *f = fd_lookup(fd);

	if (!f)
		return fd_done(real_sendmsg(fd, msg, flags));
	if (msg->msg_control && msg->msg_controllen)
		own_files_sent(pc);
	ssize_t r = send_once(f, fd, msg, flags, pc);

	if (r < 0)
		return hook_fail((int)-r);
	if (!(flags & MSG_DONTWAIT) && !fd_nonblocking(fd) && socket_is_stream(fd))
		r = send_rest(f, fd, msg, r, flags, pc);
	return fd_done(r);
}

static ssize_t do_sendmsg(int fd, const struct msghdr *msg, int flags, const void *pc)
{
	own_files_unknown(fd, pc);
	return send_message(fd, msg, flags, pc);
}

static ssize_t do_send(int fd, const void *buf, size_t n, int flags, const struct sockaddr *addr,
	socklen_t len, const void *pc)
{
	struct iovec iov = {(void *)(uintptr_t)buf, n};
	struct msghdr msg = {.msg_name = (void *)(uintptr_t)addr, .msg_namelen = addr ? len : 0,
		.msg_iov = &iov, .msg_iovlen = 1};

	if (addr)
		own_files_unknown(fd, pc);
	return send_message(fd, &msg, flags, pc);
}

static ssize_t seen_send(int fd, const void *buf, size_t n, int flags, const struct sockaddr *addr, socklen_t len, const void *pc)
{
	struct kept k;

	if (watched() && addr)
		range_read(addr, len, (uintptr_t)pc);
	if (watched() && range_read(buf, n, (uintptr_t)pc))
		buf = range_keep(&k, buf, n);
	if (!ctl_enter())
		return real_sendto(fd, buf, n, flags, addr, len);
	return WITH_DESCRIPTOR(fd, held, pc, do_send(held, buf, n, flags, addr, len, pc));
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

/* Reports the read of a message. Called outside simul. */
static void message_read(const struct msghdr *m, const void *pc)
{
	range_touch(m->msg_name, m->msg_name ? m->msg_namelen : 0, MEM_READ, (uintptr_t)pc);
	range_touch(m->msg_control, m->msg_control ? m->msg_controllen : 0, MEM_READ, (uintptr_t)pc);
	range_vectors_read(m->msg_iov, m->msg_iovlen, (uintptr_t)pc);
}

ssize_t sendmsg(int fd, const struct msghdr *msg, int flags)
{
	if (watched())
		message_read(msg, __builtin_return_address(0));
	if (!ctl_enter())
		return real_sendmsg(fd, msg, flags);
	return WITH_DESCRIPTOR(fd, held, __builtin_return_address(0), do_sendmsg(held, msg, flags, __builtin_return_address(0)));
}

int sendmmsg(int fd, struct mmsghdr *vec, unsigned n, int flags)
{
	const void *pc = __builtin_return_address(0);
	unsigned sent = 0;

	for (unsigned i = 0; watched() && i < n; i++)
		message_read(&vec[i].msg_hdr, pc);
	if (!ctl_enter())
		return real_sendmmsg(fd, vec, n, flags);
	int held = descriptor_hold(fd, pc);

	for (; sent < n; sent++) {
		ssize_t r = do_sendmsg(held, &vec[sent].msg_hdr, flags, pc);

		ctl_force_enter();
		if (r < 0)
			break;
		vec[sent].msg_len = (unsigned)r;
	}
	descriptor_release(fd, held);
	ctl_leave();
	return sent || !n ? (int)sent : -1;
}
