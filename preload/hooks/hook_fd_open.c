/* Calls that open, close and duplicate descriptors. They keep the table of fd.h correct. */
#include "preload/base/real.h"

#include <errno.h>
#include <limits.h>
#include <linux/close_range.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "preload/control/ctl.h"
#include "preload/kernel/file_effects.h"
#include "preload/kernel/descriptors.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/own_files.h"
#include "preload/hooks/cancel.h"
#include "preload/hooks/fd_io.h"
#include "preload/hooks/lock.h"
#include "preload/kernel/file_locks.h"
#include "preload/kernel/file_restore.h"
#include "preload/life/rewind.h"
#include "preload/life/worker.h"
#include "preload/life/snapshot.h"
#include "preload/base/far_fd.h"
#include "preload/base/sys.h"

#include "preload/base/rules.h"

/* ---- open: forgets what the number stood for. The first use looks the file up ---- */

/* Returns whether an open with these flags that succeeds has made the file. */
static bool makes_file(int flags)
{
	return (flags & O_TMPFILE) == O_TMPFILE || (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL);
}

static int opened(const struct effect *e, int flags, int fd)
{
	bool reads = !(flags & (O_ACCMODE | O_CREAT | O_TRUNC));

	effect_done(e, fd);
	ctl_opaque();
	if (!reads)
		rewind_taint("open files");
	if (fd >= FILES_MARKED)
		snapshot_tainted = true;
	if (fd >= 0 && ctl_enter()) {
		fd_forget(fd);
		fd = makes_file(flags) ? descriptor_made(fd) : descriptor_opened(fd);
		if (reads && !fd_opened_to_read(fd))
			rewind_taint("open files");
		ctl_leave();
	}
	return fd;
}

/* Returns the third argument of open. The call has it only if it may create a file. */
static mode_t mode_of(int flags, va_list ap)
{
	return flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
}

#define OPEN(name, real)                                                                           \
	int name(const char *path, int flags, ...)                                                 \
	{                                                                                          \
		va_list ap;                                                                        \
		va_start(ap, flags);                                                               \
		mode_t mode = mode_of(flags, ap);                                                  \
		va_end(ap);                                                                        \
		cancel_before(__builtin_return_address(0));                                        \
		struct effect e = effect_open(AT_FDCWD, path, flags);                              \
		return opened(&e, flags, real(path, flags, mode));                                        \
	}

#define OPENAT(name, real)                                                                         \
	int name(int dir, const char *path, int flags, ...)                                        \
	{                                                                                          \
		va_list ap;                                                                        \
		va_start(ap, flags);                                                               \
		mode_t mode = mode_of(flags, ap);                                                  \
		va_end(ap);                                                                        \
		cancel_before(__builtin_return_address(0));                                        \
		struct effect e = effect_open(dir, path, flags);                                   \
		return opened(&e, flags, real(dir, path, flags, mode));                                   \
	}

OPEN(open, real_open)
OPEN(open64, real_open)
OPEN(__open, real_open)
OPEN(__open64, real_open)
OPENAT(openat, real_openat)
OPENAT(openat64, real_openat)

int __open_2(const char *path, int flags)
{
	cancel_before(__builtin_return_address(0));
	struct effect e = effect_open(AT_FDCWD, path, flags);

	return opened(&e, flags, real___open_2(path, flags));
}

int __open64_2(const char *path, int flags)
{
	cancel_before(__builtin_return_address(0));
	struct effect e = effect_open(AT_FDCWD, path, flags);

	return opened(&e, flags, real___open64_2(path, flags));
}

int __openat_2(int dir, const char *path, int flags)
{
	cancel_before(__builtin_return_address(0));
	struct effect e = effect_open(dir, path, flags);

	return opened(&e, flags, real___openat_2(dir, path, flags));
}

int __openat64_2(int dir, const char *path, int flags)
{
	cancel_before(__builtin_return_address(0));
	struct effect e = effect_open(dir, path, flags);

	return opened(&e, flags, real___openat64_2(dir, path, flags));
}

int creat(const char *path, mode_t mode)
{
	cancel_before(__builtin_return_address(0));
	struct effect e = effect_open(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC);

	return opened(&e, O_WRONLY | O_CREAT, real_creat(path, mode));
}

int creat64(const char *path, mode_t mode)
{
	cancel_before(__builtin_return_address(0));
	struct effect e = effect_open(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC);

	return opened(&e, O_WRONLY | O_CREAT, real_creat(path, mode));
}

/* ---- close ---- */

/* The event of closing fd, whose file is f, on the file. */
static void about_to_close_file(int fd, struct open_file *f, const void *pc)
{
	if (!f)
		file_lock_closing(fd, pc);
	else if (f->kind != FILE_RANDOM)
		fd_touch_ordered(f, pc);
}

/* Where the table of descriptors is visible, or what processes inherit, the number is free before the file is closed, as in the kernel: two
   events. */
static int close_in_steps(int fd, const void *pc)
{
	descriptor_closing(fd, pc);
	int held = descriptor_duplicate(fd);
	struct open_file *f = fd_lookup(fd);

	fd_forget(fd);
	resource_closed(fd);
	int r = real_close(fd), err = errno;

	if (f && f->kind != FILE_RANDOM && held != fd)
		fd_touch_ordered(f, pc);
	else if (!f)
		file_lock_closing(held, pc);
	descriptor_release(fd, held);
	errno = err;
	return r;
}

static int do_close(int fd, const void *pc)
{
	cancel_point(pc);
	outside_standard_streams |= fd <= STDERR_FILENO;
	if (!fd_put_back(fd))
		rewind_taint("close files");
	if (descriptors_close_in_steps())
		return (int)fd_done(close_in_steps(fd, pc));
	descriptor_closing(fd, pc);
	about_to_close_file(fd, fd_lookup(fd), pc);
	fd_forget(fd);
	resource_closed(fd);
	return (int)fd_done(real_close(fd));
}

int close(int fd)
{
	return ctl_enter() ? do_close(fd, __builtin_return_address(0)) : real_close(fd);
}

int __close(int fd)
{
	return ctl_enter() ? do_close(fd, __builtin_return_address(0)) : real_close(fd);
}

/* Call it before descriptors first..last are closed. Performs an event on each of their files, as close does. */
static void about_to_close(unsigned first, unsigned last, const void *pc)
{
	struct open_file *f;

	if (first >= MAX_FDS || !ctl_enter())
		return;
	for (int fd = (int)first, end = fd_end(); fd < end && (unsigned)fd <= last; fd++)
		if (!fd_known(fd))
			file_lock_closing(fd, pc);
	for (unsigned k = 0; (f = fd_file_at(k)); k++) {
		int fd = fd_next(f, (int)first - 1);

		if (fd >= 0 && (unsigned)fd <= last && f->kind != FILE_RANDOM)
			fd_touch(f, pc);
	}
	descriptors_changing(pc);
	ctl_leave();
}

static void closed(unsigned first, unsigned last)
{
	outside_standard_streams |= first <= STDERR_FILENO;
	if (!ctl_enter())
		return;
	for (unsigned fd = first; fd <= last && fd < MAX_FDS; fd++)
		fd_forget((int)fd);
	ctl_leave();
}

int close_range(unsigned first, unsigned last, int flags)
{
	bool closes = !(flags & CLOSE_RANGE_CLOEXEC);

	if (closes)
		about_to_close(first, last, __builtin_return_address(0));
	else if (ctl_enter()) {
		descriptors_changing(__builtin_return_address(0));
		ctl_leave();
	}
	int r = real_close_range(first, last, flags);

	rewind_taint("close files");
	if (r == 0 && closes)
		closed(first, last);
	return r;
}

void closefrom(int first)
{
	unsigned from = first < 0 ? 0 : (unsigned)first;

	about_to_close(from, UINT_MAX, __builtin_return_address(0));
	real_closefrom(first);
	rewind_taint("close files");
	closed(from, UINT_MAX);
}

/* ---- duplicates ---- */

/* chosen: the number `to` is the kernel's choice. */
static int duplicated(int from, int to, bool chosen)
{
	if (!chosen || !fd_put_back(from))
		rewind_taint("open files");
	outside_standard_streams |= to >= 0 && to <= STDERR_FILENO;
	if (to >= FILES_MARKED)
		snapshot_tainted = true;
	if (to >= 0 && ctl_enter()) {
		fd_lookup(from);
		fd_copy(from, to);
		if (chosen)
			to = descriptor_opened(to);
		else
			number_opened(to);
		resource_duplicated(from, to);
		ctl_leave();
	}
	return to;
}

int dup(int fd)
{
	return duplicated(fd, real_dup(fd), true);
}

/* dup2 closes the file of `to`. That is an event on the file: threads at the other end of a pipe see it. Returns a duplicate for which that event is
   still due after the call, where the number is an event of its own; -1: there is none. */
static int about_to_replace(int from, int to, const void *pc)
{
	int held = -1;

	if (!ctl_enter())
		return -1;
	if (from == to) {
		descriptor_looked_up(from, pc);
		ctl_leave();
		return -1;
	}
	bool steps = descriptors_close_in_steps(), open = !sys_failed(sys_fcntl(to, F_GETFD, 0));

	if (open)
		own_files_unknown(to, pc);
	if (!steps)
		about_to_close_file(to, open ? fd_lookup(to) : NULL, pc);
	descriptor_replacing(to, from, pc);
	if (steps)
		held = descriptor_duplicate(to);
	ctl_leave();
	return held == to ? -1 : held;
}

/* flags: of dup3; -1: dup2. */
static int replace(int from, int to, int flags, const void *pc)
{
	int held = about_to_replace(from, to, pc);
	int r = duplicated(from, flags == -1 ? real_dup2(from, to) : real_dup3(from, to, flags), false), err = errno;

	if (held >= 0 && ctl_enter()) {
		about_to_close_file(held, fd_lookup(held), pc);
		ctl_leave();
		descriptor_release(to, held);
	}
	errno = err;
	return r;
}

int dup2(int from, int to)
{
	return replace(from, to, -1, __builtin_return_address(0));
}

int __dup2(int from, int to)
{
	return replace(from, to, -1, __builtin_return_address(0));
}

int dup3(int from, int to, int flags)
{
	return replace(from, to, flags, __builtin_return_address(0));
}

/* Returns whether the command changes nothing but the descriptor, its file, and new descriptors of it. */
static bool stays_with_file(int cmd)
{
	return cmd == F_SETFD || cmd == F_SETFL || cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC || cmd == F_GETPIPE_SZ || cmd == F_SETPIPE_SZ;
}

/* For the size of a pipe. A thread that waits for room in it may go on when it gets another size. No other event may
   come between this one and the call. */
static void sizing(int fd, const void *pc)
{
	struct open_file *f = fd_lookup(fd);

	if (f)
		fd_touch(f, pc);
}

static void look_up_for(int fd, int cmd, const void *pc)
{
	switch (cmd) {
	case F_SETFL:
		descriptor_changing(fd, pc);
		break;
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
		descriptor_inherited(fd, cmd == F_DUPFD, pc);
		break;
	case F_SETFD:
	case F_GETFD:
		descriptor_settings(fd, SETTINGS_OF_descriptor, cmd == F_SETFD ? RESOURCE_ADD : RESOURCE_READ, pc);
		break;
	case F_SETOWN:
	case F_SETOWN_EX:
	case F_SETSIG:
		descriptor_settings(fd, SETTINGS_OF_owner, RESOURCE_ADD, pc);
		break;
	case F_GETOWN:
	case F_GETOWN_EX:
	case F_GETSIG:
		descriptor_settings(fd, SETTINGS_OF_owner, RESOURCE_READ, pc);
		break;
	case F_ADD_SEALS:
	case F_GET_SEALS:
		descriptor_sealed(fd, cmd == F_ADD_SEALS ? RESOURCE_CHANGE : RESOURCE_READ, pc);
		break;
	default:
		descriptor_looked_up(fd, pc);
	}
}

static int do_fcntl(int fd, int cmd, void *arg, const void *pc)
{
	if (cmd == F_SETLK || cmd == F_SETLKW || cmd == F_OFD_SETLK || cmd == F_OFD_SETLKW)
		return lock_record(fd, cmd, arg, pc);
	if (cmd == F_SETLEASE)
		outside_note("locks files");
	if (ctl_enter_unnoticed()) {
		if (cmd == F_SETFL || cmd == F_SETPIPE_SZ)
			own_files_unknown(fd, pc);
		look_up_for(fd, cmd, pc);
		if (cmd == F_SETPIPE_SZ || cmd == F_GETPIPE_SZ)
			sizing(fd, pc);
		ctl_leave();
	}
	int r = real_fcntl(fd, cmd, arg);

	if (cmd != F_GETFD && cmd != F_GETFL && cmd != F_GETLK) {
		ctl_opaque();
		if (!fd_put_back(fd) || !stays_with_file(cmd))
			rewind_taint("change what descriptors are");
	}
	return cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC ? duplicated(fd, r, true) : r;
}

#define FCNTL(name)                                                                                \
	int name(int fd, int cmd, ...)                                                             \
	{                                                                                          \
		va_list ap;                                                                        \
		va_start(ap, cmd);                                                                 \
		void *arg = va_arg(ap, void *);                                                    \
		va_end(ap);                                                                        \
		return do_fcntl(fd, cmd, arg, __builtin_return_address(0));                                                    \
	}

FCNTL(fcntl)
FCNTL(fcntl64)
FCNTL(__fcntl)

/* ---- pipes, eventfds, epoll instances ---- */

/* A pipe that is made inside simul belongs to libunwind, which takes stacks in replays only, and not to the program. */
static int made_pipe(int r, int fds[2], enum file_kind kind, bool stream)
{
	if (r == 0 && ctl_state == CTL_ON && ctl_inside) {
		fds[0] = far_fd(fds[0]);
		fds[1] = far_fd(fds[1]);
	} else if (r == 0 && ctl_enter()) {
		struct open_file *f = fd_make(kind, fds[0]);

		f->stream = stream;
		fd_assign(fds[1], f);
		fds[0] = descriptor_opened(fds[0]);
		fds[1] = descriptor_opened(fds[1]);
		if (kind == FILE_PAIR)
			f->other_ino = fd_inode(fds[1]);
		ctl_leave();
	}
	return r;
}

int pipe(int fds[2])
{
	return made_pipe(real_pipe(fds), fds, FILE_PIPE, true);
}

int __pipe(int fds[2])
{
	return made_pipe(real_pipe(fds), fds, FILE_PIPE, true);
}

int pipe2(int fds[2], int flags)
{
	return made_pipe(real_pipe2(fds, flags), fds, FILE_PIPE, true);
}

int socketpair(int domain, int type, int protocol, int fds[2])
{
	return made_pipe(real_socketpair(domain, type, protocol, fds), fds, FILE_PAIR,
		(type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) == SOCK_STREAM);
}

static int made(int fd, enum file_kind kind, unsigned flags)
{
	if (fd >= 0 && ctl_enter()) {
		fd_make(kind, fd)->flags = flags;
		fd = descriptor_opened(fd);
		ctl_leave();
	}
	return fd;
}

int eventfd(unsigned value, int flags)
{
	return made(real_eventfd(value, flags), FILE_EVENTFD, (unsigned)flags & EFD_SEMAPHORE);
}

int epoll_create(int size)
{
	return made(real_epoll_create(size), FILE_EPOLL, 0);
}

int epoll_create1(int flags)
{
	return made(real_epoll_create1(flags), FILE_EPOLL, 0);
}
