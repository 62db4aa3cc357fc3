/*
 * Reading and writing. A blocking operation becomes an event that is enabled when the kernel says that the call would not block. Then the
 * hook makes the real call. No other thread runs in between.
 */
#include "preload/base/real.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "preload/control/ctl.h"
#include "preload/kernel/descriptors.h"
#include "preload/kernel/fd.h"
#include "preload/hooks/cancel.h"
#include "preload/hooks/fd_io.h"
#include "preload/hooks/random.h"
#include "preload/hooks/socket.h"
#include "preload/accesses/landing.h"
#include "preload/kernel/signals.h"
#include "preload/base/sys.h"
#include "preload/failure/values.h"
#include "preload/memory/spin.h"

#include "preload/base/rules.h"

/* ---- shared with the sockets ---- */

ssize_t fd_done(ssize_t r)
{
	values_returned(r);
	ctl_leave();
	return r;
}

/* Returns whether a call on a descriptor with these flags (F_GETFL) fails instead of waiting: with O_NONBLOCK, or at the wrong end of a
   pipe. */
static bool fails_at_once(long flags, short events)
{
	return !sys_failed(flags) && (flags & O_NONBLOCK || (flags & O_ACCMODE) == (events & POLLOUT ? O_RDONLY : O_WRONLY));
}

bool fd_wait_for(struct open_file *f, int fd, short events, unsigned flags, const void *pc)
{
	struct fd_request req = {
		.kind = events & POLLOUT ? EV_FD_WRITE : EV_FD_READ,
		.fd = fd,
		.events = events,
		.flags = flags | (fails_at_once(sys_fcntl(fd, F_GETFL, 0), events) ? FD_TRY : 0),
		.deadline = OP_NO_DEADLINE,
		.pc = pc,
	};

	do {
		if (fd_perform(f, &req))
			return false;
	} while (f->kind == FILE_TIMER && (events & POLLIN) && !timerfd_readable(fd, req.flags & FD_TRY) && !(req.flags & FD_TRY));
	return true;
}

/* Like fd_wait_for, for read and write, with the timeout of a socket. Returns 0 or an errno value. */
static int wait_as_set(struct open_file *f, int fd, short events, unsigned flags, const void *pc)
{
	if (f->kind == FILE_NET || f->kind == FILE_PAIR)
		return socket_wait(f, fd, events, flags & FD_TRY, flags & FD_ORDERED, pc);
	return fd_wait_for(f, fd, events, flags, pc) ? 0 : EINTR;
}

void fd_broken_pipe(void)
{
	siginfo_t info = {.si_signo = SIGPIPE, .si_code = SI_USER};

	signals_send_self(&info);
}

/* Writes as many bytes as fit, in one call that does not block. Returns their number, or -errno. */
static ssize_t write_some(int fd, const void *buf, size_t n)
{
	long flags = sys_fcntl(fd, F_GETFL, 0);
	bool blocking = !sys_failed(flags) && !(flags & O_NONBLOCK);

	if (blocking)
		sys_fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	ssize_t r = sys_write(fd, buf, n);

	if (blocking)
		sys_fcntl(fd, F_SETFL, flags);
	return r;
}

ssize_t fd_write_all(struct open_file *f, int fd, const void *buf, size_t n, const void *pc)
{
	bool try = fd_nonblocking(fd);
	size_t done = 0;

	do {
		int err = wait_as_set(f, fd, POLLOUT, FD_ORDERED | (try ? FD_TRY : 0), pc);

		if (err)
			return done ? (ssize_t)done : -err;
		ssize_t r = write_some(fd, (const char *)buf + done, n - done);

		if (r == -EAGAIN && !try)
			continue; /* there was room, but not enough for an atomic write */
		if (r == -EPIPE)
			fd_broken_pipe();
		if (r < 0)
			return done ? (ssize_t)done : r;
		done += (size_t)r;
	} while (done < n && !try);
	return (ssize_t)done;
}

/* ---- read ---- */

static size_t total_length(const struct iovec *iov, int n)
{
	size_t total = 0;

	for (int i = 0; i < n; i++)
		total += iov[i].iov_len;
	return total;
}

/* Call it before a read or write of a plain file. Such a call is no event, but it is a cancellation point. A loop with such a call is no
   waiting loop: the next call can return another result although no memory has changed. */
static void plain_call(const void *pc)
{
	cancel_point(pc);
	spin_impure();
}

/* Returns whether a read of n bytes returns at once even without data: pipes and sockets return 0 if n is 0, and counters fail if n is less
   than the size of a counter. */
static bool read_never_waits(const struct open_file *f, size_t n)
{
	switch ((enum file_kind)f->kind) {
	case FILE_PIPE:
	case FILE_PAIR:
	case FILE_NET:
		return !n;
	case FILE_EVENTFD:
	case FILE_TIMER:
		return n < sizeof(uint64_t);
	case FILE_EPOLL:
		return true; /* it fails */
	case FILE_RANDOM:
	case FILE_LOCKS:
	case FILE_GROUP:
	case FILE_DEVICE:
		return false;
	}
	return false;
}

static ssize_t do_read(int fd, void *buf, size_t n, const void *pc)
{
	struct open_file *f = fd_lookup(fd);

	if (!f) {
		plain_call(pc);
		descriptor_reads(fd, false, pc);
		return fd_done(real_read(fd, buf, n));
	}
	if (f->kind == FILE_RANDOM) {
		random_fill(buf, n);
		return fd_done((ssize_t)n);
	}
	int err = wait_as_set(f, fd, POLLIN, FD_ORDERED | (read_never_waits(f, n) ? FD_TRY : 0), pc);

	return err ? hook_fail(err) : fd_done(real_read(fd, buf, n));
}

static ssize_t seen_read(int fd, void *buf, size_t n, const void *pc)
{
	struct landing l;
	void *at = landing_begin(&l, buf, n, (uintptr_t)pc);
	ssize_t r = ctl_enter() ? WITH_DESCRIPTOR(fd, held, pc, do_read(held, at, n, pc)) : real_read(fd, at, n);

	landing_end(&l, r, (uintptr_t)pc);
	return r;
}

ssize_t read(int fd, void *buf, size_t n)
{
	return seen_read(fd, buf, n, __builtin_return_address(0));
}

ssize_t __read(int fd, void *buf, size_t n)
{
	return seen_read(fd, buf, n, __builtin_return_address(0));
}

ssize_t __read_chk(int fd, void *buf, size_t n, size_t room)
{
	if (n > room)
		return real___read_chk(fd, buf, n, room);
	return seen_read(fd, buf, n, __builtin_return_address(0));
}

static ssize_t vectors_in(int fd, const struct iovec *iov, int n, off_t offset, int flags)
{
	return offset == -1 && !flags ? real_readv(fd, iov, n) : real_preadv2(fd, iov, n, offset, flags);
}

static ssize_t vectors_out(int fd, const struct iovec *iov, int n, off_t offset, int flags)
{
	return offset == -1 && !flags ? real_writev(fd, iov, n) : real_pwritev2(fd, iov, n, offset, flags);
}

/* Like readv, or with flags (RWF_*) like preadv2 at the file's own offset. */
static ssize_t do_readv(int fd, const struct iovec *iov, int n, int flags, const void *pc)
{
	struct open_file *f = fd_lookup(fd);

	if (f && f->kind == FILE_RANDOM) {
		ssize_t sum = 0;

		for (int i = 0; i < n; i++) {
			random_fill(iov[i].iov_base, iov[i].iov_len);
			sum += (ssize_t)iov[i].iov_len;
		}
		return fd_done(sum);
	}
	if (!f) {
		plain_call(pc);
		descriptor_reads(fd, false, pc);
	}
	bool try = flags & RWF_NOWAIT || (f && read_never_waits(f, total_length(iov, n)));
	int err = f ? wait_as_set(f, fd, POLLIN, (flags ? 0 : FD_ORDERED) | (try ? FD_TRY : 0), pc) : 0;

	return err ? hook_fail(err) : fd_done(vectors_in(fd, iov, n, -1, flags));
}

/* Like preadv2 at an offset. */
static ssize_t do_readv_at(int fd, const struct iovec *iov, int n, off_t offset, int flags, const void *pc)
{
	plain_call(pc);
	descriptor_reads(fd, true, pc);
	return fd_done(vectors_in(fd, iov, n, offset, flags));
}

static ssize_t seen_readv(int fd, const struct iovec *iov, int n, off_t offset, int flags, const void *pc)
{
	if (n < 0 || n > IOV_MAX)
		return real_readv(fd, iov, n); /* it fails */
	size_t pieces = (size_t)n;
	struct vector_landing l;
	const struct iovec *at = vector_landing_begin(&l, iov, &pieces, (uintptr_t)pc);
	ssize_t r;

	if (!ctl_enter())
		r = vectors_in(fd, at, (int)pieces, offset, flags);
	else if (offset == -1)
		r = WITH_DESCRIPTOR(fd, held, pc, do_readv(held, at, (int)pieces, flags, pc));
	else
		r = WITH_DESCRIPTOR(fd, held, pc, do_readv_at(held, at, (int)pieces, offset, flags, pc));
	vector_landing_end(&l, r, (uintptr_t)pc);
	return r;
}

ssize_t readv(int fd, const struct iovec *iov, int n)
{
	return seen_readv(fd, iov, n, -1, 0, __builtin_return_address(0));
}

ssize_t preadv2(int fd, const struct iovec *iov, int n, off_t offset, int flags)
{
	return seen_readv(fd, iov, n, offset, flags, __builtin_return_address(0));
}

ssize_t preadv64v2(int fd, const struct iovec *iov, int n, __off64_t offset, int flags)
{
	return seen_readv(fd, iov, n, offset, flags, __builtin_return_address(0));
}

/* ---- write ---- */

/* Adds to the counter of an eventfd: waits while the sum would be too large. Two values never wait: 0, and the largest, which fails. */
static ssize_t add_to_counter(struct open_file *f, int fd, uint64_t value, const void *pc)
{
	struct fd_request req = {
		.kind = EV_FD_WRITE,
		.fd = fd,
		.events = POLLOUT,
		.addend = value,
		.flags = FD_ORDERED | (!value || value == UINT64_MAX || fd_nonblocking(fd) ? FD_TRY : 0),
		.deadline = OP_NO_DEADLINE,
		.pc = pc,
	};

	if (fd_perform(f, &req))
		return hook_fail(EINTR);
	return fd_done(real_write(fd, &value, sizeof(value)));
}

static ssize_t do_write(int fd, const void *buf, size_t n, const void *pc)
{
	struct open_file *f = fd_lookup(fd);

	if (!f || f->kind == FILE_RANDOM) {
		plain_call(pc);
		descriptor_writes(fd, false, pc);
		return fd_done(real_write(fd, buf, n));
	}
	if (f->kind == FILE_EVENTFD && n >= sizeof(uint64_t)) {
		uint64_t value;

		memcpy(&value, buf, sizeof(value));
		return add_to_counter(f, fd, value, pc);
	}
	if (n == 0 || f->kind == FILE_EVENTFD) {
		fd_wait_for(f, fd, POLLOUT, FD_ORDERED | FD_TRY, pc);
		return fd_done(real_write(fd, buf, n));
	}
	ssize_t r = fd_write_all(f, fd, buf, n, pc);

	return r < 0 ? hook_fail((int)-r) : fd_done(r);
}

/* Waits for room, then writes the bytes with the values that they had when the access was reported. So a copy is kept meanwhile. */
static ssize_t seen_write(int fd, const void *buf, size_t n, const void *pc)
{
	struct kept k;

	if (watched() && range_read(buf, n, (uintptr_t)pc))
		buf = range_keep(&k, buf, n);
	if (!ctl_enter())
		return real_write(fd, buf, n);
	return WITH_DESCRIPTOR(fd, held, pc, do_write(held, buf, n, pc));
}

ssize_t write(int fd, const void *buf, size_t n)
{
	return seen_write(fd, buf, n, __builtin_return_address(0));
}

ssize_t __write(int fd, const void *buf, size_t n)
{
	return seen_write(fd, buf, n, __builtin_return_address(0));
}

/* Writes at most PIPE_BUF bytes as one piece. Pieces of a larger write may be interleaved with writes of other threads, as POSIX allows. */
static ssize_t do_writev(int fd, const struct iovec *iov, int n, int flags, const void *pc)
{
	ssize_t sum = 0;
	struct open_file *f = fd_lookup(fd);

	if (!f) {
		plain_call(pc);
		descriptor_writes(fd, false, pc);
		return fd_done(vectors_out(fd, iov, n, -1, flags));
	}
	size_t total = total_length(iov, n);

	if (total <= PIPE_BUF || fd_nonblocking(fd) || flags & RWF_NOWAIT) {
		bool try = !total || flags & RWF_NOWAIT;
		int err = wait_as_set(f, fd, POLLOUT, (flags ? 0 : FD_ORDERED) | (try ? FD_TRY : 0), pc);

		if (err)
			return hook_fail(err);
		sum = vectors_out(fd, iov, n, -1, flags);
		if (sum < 0 && errno == EPIPE)
			fd_broken_pipe();
		return fd_done(sum);
	}
	for (int i = 0; i < n; i++) {
		ssize_t r = iov[i].iov_len ? fd_write_all(f, fd, iov[i].iov_base, iov[i].iov_len, pc) : 0;

		if (r < 0)
			return sum ? fd_done(sum) : hook_fail((int)-r);
		sum += r;
		if ((size_t)r < iov[i].iov_len)
			break;
	}
	return fd_done(sum);
}

/* Like pwritev2 at an offset. */
static ssize_t do_writev_at(int fd, const struct iovec *iov, int n, off_t offset, int flags, const void *pc)
{
	plain_call(pc);
	descriptor_writes(fd, true, pc);
	return fd_done(vectors_out(fd, iov, n, offset, flags));
}

static ssize_t seen_writev(int fd, const struct iovec *iov, int n, off_t offset, int flags, const void *pc)
{
	if (n < 0 || n > IOV_MAX)
		return real_writev(fd, iov, n); /* it fails */
	if (watched())
		range_vectors_read(iov, (size_t)n, (uintptr_t)pc);
	if (!ctl_enter())
		return vectors_out(fd, iov, n, offset, flags);
	if (offset != -1)
		return WITH_DESCRIPTOR(fd, held, pc, do_writev_at(held, iov, n, offset, flags, pc));
	return WITH_DESCRIPTOR(fd, held, pc, do_writev(held, iov, n, flags, pc));
}

ssize_t writev(int fd, const struct iovec *iov, int n)
{
	return seen_writev(fd, iov, n, -1, 0, __builtin_return_address(0));
}

ssize_t pwritev2(int fd, const struct iovec *iov, int n, off_t offset, int flags)
{
	return seen_writev(fd, iov, n, offset, flags, __builtin_return_address(0));
}

ssize_t pwritev64v2(int fd, const struct iovec *iov, int n, __off64_t offset, int flags)
{
	return seen_writev(fd, iov, n, offset, flags, __builtin_return_address(0));
}

/* ---- eventfd ---- */

int eventfd_read(int fd, eventfd_t *value)
{
	return seen_read(fd, value, sizeof(*value), __builtin_return_address(0)) == sizeof(*value) ? 0 : -1;
}

int eventfd_write(int fd, eventfd_t value)
{
	if (!ctl_enter())
		return real_eventfd_write(fd, value);
	ssize_t r = WITH_DESCRIPTOR(fd, held, __builtin_return_address(0), do_write(held, &value, sizeof(value), __builtin_return_address(0)));

	return r == sizeof(value) ? 0 : -1;
}

/* ---- from one descriptor to another: may wait at both ends ---- */

/* Returns whether a call with these flags fails with EAGAIN instead of waiting. */
static bool splice_tries(int in, int out, unsigned flags)
{
	return flags & SPLICE_F_NONBLOCK || fd_nonblocking(in) || fd_nonblocking(out);
}

/* Waits until `in` can be read and `out` can be written; with `try` it does not wait. Returns false when a signal handler interrupted it.
   */
static bool both_ends(int in, int out, bool try, const void *pc)
{
	struct open_file *from = fd_lookup(in), *to = fd_lookup(out);

	if (from && !fd_wait_for(from, in, POLLIN, try ? FD_TRY : 0, pc))
		return false;
	return !to || fd_wait_for(to, out, POLLOUT, try ? FD_TRY : 0, pc);
}

/* A call takes bytes from `in` and gives them to `out`. Uses those of the two that are files. at_in, at_out: the call
   says where in the file, and leaves the position alone. */
static void file_ends(int in, bool at_in, int out, bool at_out, const void *pc)
{
	if (!fd_lookup(in))
		descriptor_reads(in, at_in, pc);
	if (!fd_lookup(out))
		descriptor_writes(out, at_out, pc);
}

/* Does the system call splice or tee with these arguments, without waiting in the kernel. While the thread waits for room at one end,
   another thread may take the data at the other end; then it waits again. Call it after ctl_enter; it calls ctl_leave. */
static ssize_t do_splice(long call, int in, int out, const long a[6], unsigned flags, const void *pc)
{
	bool try = splice_tries(in, out, flags);
	long r;

	do {
		if (!both_ends(in, out, try, pc))
			return hook_fail(EINTR);
		if (call == SYS_splice)
			file_ends(in, a[1], out, a[3], pc);
		r = sys_call6(call, a[0], a[1], a[2], a[3], a[4], a[5]);
	} while (r == -EAGAIN && !try);
	if (r == -EPIPE)
		fd_broken_pipe();
	return r < 0 ? hook_fail((int)-r) : fd_done(r);
}

ssize_t splice(int in, __off64_t *off_in, int out, __off64_t *off_out, size_t n, unsigned flags)
{
	const void *pc = __builtin_return_address(0);

	if (!ctl_enter())
		return real_splice(in, off_in, out, off_out, n, flags);
	return WITH_DESCRIPTOR(in, from, pc, WITH_DESCRIPTOR(out, to, pc, do_splice(SYS_splice, from, to,
		(const long[6]){from, (long)off_in, to, (long)off_out, (long)n, flags | SPLICE_F_NONBLOCK}, flags, pc)));
}

ssize_t tee(int in, int out, size_t n, unsigned flags)
{
	const void *pc = __builtin_return_address(0);

	if (!ctl_enter())
		return real_tee(in, out, n, flags);
	return WITH_DESCRIPTOR(in, from, pc, WITH_DESCRIPTOR(out, to, pc,
		do_splice(SYS_tee, from, to, (const long[6]){from, to, (long)n, flags | SPLICE_F_NONBLOCK}, flags, pc)));
}

static ssize_t do_vmsplice(int fd, const struct iovec *iov, size_t n, unsigned flags, const void *pc)
{
	struct open_file *f = fd_lookup(fd);
	bool reads = (sys_fcntl(fd, F_GETFL, 0) & O_ACCMODE) == O_RDONLY, try = flags & SPLICE_F_NONBLOCK;

	if (f && !fd_wait_for(f, fd, reads ? POLLIN : POLLOUT, try ? FD_TRY : 0, pc))
		return hook_fail(EINTR);
	ssize_t r = real_vmsplice(fd, iov, n, flags | SPLICE_F_NONBLOCK);

	if (r < 0 && errno == EPIPE)
		fd_broken_pipe();
	return fd_done(r);
}

ssize_t vmsplice(int fd, const struct iovec *iov, size_t n, unsigned flags)
{
	const void *pc = __builtin_return_address(0);

	return ctl_enter() ? WITH_DESCRIPTOR(fd, held, pc, do_vmsplice(held, iov, n, flags, pc)) : real_vmsplice(fd, iov, n, flags);
}

/* Copies from a file to a pipe or socket as many bytes as fit. sendfile may copy fewer bytes than requested. */
static ssize_t do_sendfile(int out, int in, off_t *off, size_t n, const void *pc)
{
	struct open_file *f = fd_lookup(out);

	if (!f) {
		plain_call(pc);
		file_ends(in, off, out, false, pc);
		return fd_done(real_sendfile(out, in, off, n));
	}
	long flags;
	ssize_t r;
	int err;

	do { /* another thread may fill `out`, or change its flags, before this one uses the file */
		if (!fd_wait_for(f, out, POLLOUT, 0, pc))
			return hook_fail(EINTR);
		file_ends(in, off, out, false, pc);
		flags = sys_fcntl(out, F_GETFL, 0);
		sys_fcntl(out, F_SETFL, flags | O_NONBLOCK);
		r = real_sendfile(out, in, off, n);
		err = errno;
		sys_fcntl(out, F_SETFL, flags);
	} while (r < 0 && err == EAGAIN && !(flags & O_NONBLOCK));
	errno = err;
	if (r < 0 && err == EPIPE)
		fd_broken_pipe();
	return fd_done(r);
}

ssize_t sendfile(int out, int in, off_t *off, size_t n)
{
	if (!ctl_enter())
		return real_sendfile(out, in, off, n);
	const void *pc = __builtin_return_address(0);

	return WITH_DESCRIPTOR(out, to, pc, WITH_DESCRIPTOR(in, from, pc, do_sendfile(to, from, off, n, pc)));
}

ssize_t sendfile64(int out, int in, __off64_t *off, size_t n)
{
	if (!ctl_enter())
		return real_sendfile(out, in, off, n);
	const void *pc = __builtin_return_address(0);

	return WITH_DESCRIPTOR(out, to, pc, WITH_DESCRIPTOR(in, from, pc, do_sendfile(to, from, off, n, pc)));
}
