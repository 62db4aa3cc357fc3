/*
 * Reading from pipes, eventfds and sockets, writing to them and closing them. The calls are libc's own. In the
 * prefix none of them blocks: it comes after the events that made it possible in the search. After the prefix a
 * thread may block in the kernel; it holds nothing of this library then.
 *
 * The events are those of the search (preload/hooks/hook_fd.c). A call that fails instead of waiting is another
 * kind of event. A large write is one event for each piece for which there is room.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "enforce/lib/file_event.h"
#include "preload/base/safe_read.h"

/* Returns whether a call that transfers n bytes never waits, whatever the flags of its descriptor are. */
static bool never_waits(enum own_file file, size_t n)
{
	return file == OWN_FILE_EVENTFD ? n < sizeof(uint64_t) : !n;
}

/* ---- writes ---- */

/* Writes the bytes for which there is room. The descriptor's flags stay as they are: other threads may use it now. */
static ssize_t write_some(enum own_file file, int fd, const char *buf, size_t n)
{
	char path[64];
	ssize_t r;
	int own, error;

	if (own_files_is_socket(file))
		return REAL(send)(fd, buf, n, MSG_DONTWAIT);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	own = REAL(open)(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (own < 0)
		gate_refuse("the certificate cannot be enforced: a pipe cannot be opened again: %m");
	r = REAL(write)(own, buf, n);
	error = errno;
	syscall(SYS_close, own);
	errno = error;
	return r;
}

static ssize_t write_piece(const struct pieces *p, const char *buf, size_t n, bool mine)
{
	return mine ? write_some(p->file, p->fd, buf, n) : REAL(write)(p->fd, buf, n);
}

/* Writes to a pipe or a socket. Returns the number of bytes, or -1. */
static ssize_t write_pieces(enum own_file file, int fd, const struct use *use, const char *buf, size_t n)
{
	const struct pieces pieces = {.file = file, .fd = fd, .put = write_piece};

	return n ? file_event_pieces(&pieces, use, buf, n) : 0;
}

/* Returns whether a write of this number to an eventfd never waits: it adds 0, or fails. */
static bool is_never_late(const void *number)
{
	uint64_t n = 0;

	safe_read((uint64_t)number, &n, sizeof(n));
	return !n || n == UINT64_MAX;
}

static ssize_t ordered_write(int fd, const void *buf, size_t n)
{
	struct use use;
	enum own_file file = own_files_use(fd, &use);
	bool divided = own_files_is_socket(file) ? n : file == OWN_FILE_PIPE && n > PIPE_BUF;

	if (divided && file_event_kind(EV_FD_WRITE, fd, false) == EV_FD_WRITE)
		return write_pieces(file, fd, &use, buf, n);
	return ORDERED(EV_FD_WRITE, fd, never_waits(file_, n) || (file_ == OWN_FILE_EVENTFD && is_never_late(buf)),
		REAL(write)(fd, buf, n));
}

EXPORT ssize_t write(int fd, const void *buf, size_t n)
{
	return ordered_write(fd, buf, n);
}

ssize_t __write(int fd, const void *buf, size_t n);
EXPORT ssize_t __write(int fd, const void *buf, size_t n)
{
	return ordered_write(fd, buf, n);
}

static size_t total_length(const struct iovec *iov, int n)
{
	size_t total = 0;

	for (int i = 0; i < n; i++)
		total += iov[i].iov_len;
	return total;
}

static bool is_vector(int n)
{
	return n >= 0 && n <= IOV_MAX;
}

static ssize_t ordered_writev(int fd, const struct iovec *iov, int n)
{
	enum own_file file;
	struct use use;
	ssize_t sum = 0;
	size_t total;

	if (!is_vector(n) || !(file = own_files_use(fd, &use)))
		return REAL(writev)(fd, iov, n);
	total = total_length(iov, n);
	if (total <= PIPE_BUF || file == OWN_FILE_EVENTFD || file_event_kind(EV_FD_WRITE, fd, false) != EV_FD_WRITE)
		return ORDERED(EV_FD_WRITE, fd, !total, REAL(writev)(fd, iov, n));
	for (int i = 0; i < n; i++) {
		ssize_t r = write_pieces(file, fd, &use, iov[i].iov_base, iov[i].iov_len);

		if (r < 0)
			return sum ? sum : -1;
		sum += r;
		if ((size_t)r < iov[i].iov_len)
			break;
	}
	return sum;
}

EXPORT ssize_t writev(int fd, const struct iovec *iov, int n)
{
	return ordered_writev(fd, iov, n);
}

EXPORT ssize_t pwritev2(int fd, const struct iovec *iov, int n, off_t offset, int flags)
{
	return offset == -1 && !flags ? ordered_writev(fd, iov, n) : REAL(pwritev2)(fd, iov, n, offset, flags);
}

EXPORT ssize_t pwritev64v2(int fd, const struct iovec *iov, int n, off_t offset, int flags)
{
	return pwritev2(fd, iov, n, offset, flags);
}

/* ---- reads ---- */

static ssize_t ordered_read(int fd, void *buf, size_t n)
{
	return ORDERED(EV_FD_READ, fd, never_waits(file_, n), REAL(read)(fd, buf, n));
}

EXPORT ssize_t read(int fd, void *buf, size_t n)
{
	return ordered_read(fd, buf, n);
}

ssize_t __read(int fd, void *buf, size_t n);
EXPORT ssize_t __read(int fd, void *buf, size_t n)
{
	return ordered_read(fd, buf, n);
}

ssize_t __read_chk(int fd, void *buf, size_t n, size_t room);
EXPORT ssize_t __read_chk(int fd, void *buf, size_t n, size_t room)
{
	return n > room ? REAL(__read_chk)(fd, buf, n, room) : ordered_read(fd, buf, n);
}

static ssize_t ordered_readv(int fd, const struct iovec *iov, int n)
{
	if (!is_vector(n))
		return REAL(readv)(fd, iov, n);
	return ORDERED(EV_FD_READ, fd, never_waits(file_, total_length(iov, n)), REAL(readv)(fd, iov, n));
}

EXPORT ssize_t readv(int fd, const struct iovec *iov, int n)
{
	return ordered_readv(fd, iov, n);
}

EXPORT ssize_t preadv2(int fd, const struct iovec *iov, int n, off_t offset, int flags)
{
	return offset == -1 && !flags ? ordered_readv(fd, iov, n) : REAL(preadv2)(fd, iov, n, offset, flags);
}

EXPORT ssize_t preadv64v2(int fd, const struct iovec *iov, int n, off_t offset, int flags)
{
	return preadv2(fd, iov, n, offset, flags);
}

/* ---- eventfd: libc's functions make the system calls themselves ---- */

EXPORT int eventfd_read(int fd, eventfd_t *value)
{
	return ordered_read(fd, value, sizeof(*value)) == sizeof(*value) ? 0 : -1;
}

EXPORT int eventfd_write(int fd, eventfd_t value)
{
	return ordered_write(fd, &value, sizeof(value)) == sizeof(value) ? 0 : -1;
}

/* ---- close ---- */

static int ordered_close(int fd)
{
	return ORDERED(EV_FD_OTHER, fd, true, REAL(close)(fd));
}

EXPORT int close(int fd)
{
	return ordered_close(fd);
}

int __close(int fd);
EXPORT int __close(int fd)
{
	return ordered_close(fd);
}
