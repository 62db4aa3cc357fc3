/*
 * Executions forked from one checkpoint share its open files. The next execution would read data that one execution
 * leaves in a pipe, and an end that an execution closes would stay open in the zygote. So each execution first makes
 * every pipe, socket pair, eventfd and epoll instance of the checkpoint again, with the same state and numbers. So does
 * a process that is rewound, after an execution that has used one of them.
 */
#include "preload/base/real.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "preload/control/ctl.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/own_files.h"
#include "preload/kernel/process.h"
#include "preload/base/sys.h"

#include "preload/base/rules.h"

#define MAX_SAVED 256
#define MAX_NUMBERS 1024
#define MAX_WATCHES 512
#define MAX_CONTENT 65536

/* Options that decide when an operation on a socket pair blocks, for how long, and what it receives. And some that the
   program can only ask for. */
static const struct {
	int name;
	bool doubled; /* the kernel returns twice the value that was set */
	socklen_t bytes;
} options[] = {
	{SO_SNDBUF, true, sizeof(int)},
	{SO_RCVBUF, true, sizeof(int)},
	{SO_RCVLOWAT, false, sizeof(int)},
	{SO_PASSCRED, false, sizeof(int)},
	{SO_KEEPALIVE, false, sizeof(int)},
	{SO_OOBINLINE, false, sizeof(int)},
	{SO_BROADCAST, false, sizeof(int)},
	{SO_REUSEADDR, false, sizeof(int)},
	{SO_LINGER, false, sizeof(struct linger)},
	{SO_SNDTIMEO, false, sizeof(struct timeval)},
	{SO_RCVTIMEO, false, sizeof(struct timeval)},
};
#define OPTIONS (sizeof(options) / sizeof(options[0]))

union option {
	int number;
	struct linger linger;
	struct timeval time;
};

/* An open file at the checkpoint. */
static struct saved {
	struct open_file *file;
	int end[2];         /* the lowest descriptor of each end; -1: there is none */
	long flags[2];      /* F_GETFL */
	int type;           /* SO_TYPE of a socket pair */
	long pipe_size;     /* F_GETPIPE_SZ of a pipe */
	union option option[2][OPTIONS]; /* options of both ends of a socket pair */
	bool shut[2];       /* shut[i]: end i of a socket pair was shut down for reading, or the other end for writing */
	uint64_t count;     /* eventfd */
	unsigned length[2]; /* bytes waiting to be read from each end */
	char *content[2];
} saved[MAX_SAVED];
static unsigned n_saved;

/* The descriptors of these files, in the order of `saved`. */
static struct number {
	int fd, cloexec;
	uint16_t file; /* index into `saved` */
	uint8_t end;
} numbers[MAX_NUMBERS];
static unsigned n_numbers;
static int above; /* greater than all of these */

static bool marking; /* true while fd_mark runs, which reports a loss by its result; fd_remember reports it in the verdict */
static bool lost;    /* some state could not be saved */

static void lose(const char *what)
{
	lost = true;
	if (!marking)
		ctl_uncontrolled(what);
}

/* What epoll instances watch. The kernel knows it by descriptor and open file: a descriptor that was closed and opened
   again is not watched. */
static struct watch {
	struct open_file *ep;
	const struct open_file *file; /* that of fd when it was added */
	int fd;
	struct epoll_event ev;
	bool disarmed; /* EPOLLONESHOT: its one event was reported before the checkpoint */
} watches[MAX_WATCHES];
static unsigned n_watches;

void fd_epoll_changed(struct open_file *ep, int cmd, int fd, const struct epoll_event *ev)
{
	const struct open_file *f = fd_known(fd);
	unsigned i = 0;

	while (i < n_watches && (watches[i].ep != ep || watches[i].fd != fd || watches[i].file != f))
		i++;
	if (cmd == EPOLL_CTL_DEL) {
		if (i < n_watches)
			watches[i] = watches[--n_watches];
		return;
	}
	if (i == MAX_WATCHES) {
		ctl_uncontrolled("more than 512 descriptors watched by epoll");
		return;
	}
	if (i == n_watches)
		n_watches++;
	watches[i].ep = ep;
	watches[i].file = f;
	watches[i].fd = fd;
	watches[i].ev = *ev;
	watches[i].disarmed = false;
}

void fd_unwatch(const struct open_file *f)
{
	for (unsigned i = n_watches; i-- > 0;)
		if (watches[i].ep == f || watches[i].file == f)
			watches[i] = watches[--n_watches];
}

const struct open_file *fd_epoll_watched(const struct open_file *ep, unsigned k)
{
	for (unsigned i = 0; i < n_watches; i++) {
		const struct open_file *f = watches[i].ep == ep ? fd_lookup(watches[i].fd) : NULL;

		if (f && f == watches[i].file && k-- == 0)
			return f;
	}
	return NULL;
}

/* ---- at the checkpoint ---- */

/* Returns whether fd belongs to the other end than end[0]. The ends of a pipe differ in direction, those of a socket pair in their inode. */
static bool other_end(const struct saved *s, int fd)
{
	if (s->file->kind == FILE_PIPE)
		return (sys_fcntl(fd, F_GETFL, 0) & O_ACCMODE) != (s->flags[0] & O_ACCMODE);
	return s->file->kind == FILE_PAIR && fd_inode(fd) != fd_inode(s->end[0]);
}

static void find_end(struct saved *s, unsigned end, int fd)
{
	if (s->end[end] < 0) {
		s->end[end] = fd;
		s->flags[end] = sys_fcntl(fd, F_GETFL, 0);
	}
	if (n_numbers == MAX_NUMBERS) {
		lose("more than 1024 descriptors of pipes and eventfds from before the first thread");
		return;
	}
	above = fd >= above ? fd + 1 : above;
	int cloexec = sys_fcntl(fd, F_GETFD, 0) & FD_CLOEXEC ? O_CLOEXEC : 0;

	numbers[n_numbers++] = (struct number){fd, cloexec, (uint16_t)(s - saved), (uint8_t)end};
}

static void find_ends(struct saved *s)
{
	s->end[0] = s->end[1] = -1;
	for (int fd = fd_next(s->file, -1); fd >= 0; fd = fd_next(s->file, fd))
		find_end(s, s->end[0] >= 0 && other_end(s, fd), fd);
}

static uint64_t eventfd_count(int fd)
{
	uint64_t n = 0;

	if (!fd_counter(fd, &n))
		lose("an eventfd from before the first thread, whose counter cannot be read (/proc/self/fdinfo)");
	return n;
}

/* Reads the data that waits at one end, and writes it back at the other. */
static void save_content(struct saved *s, int reader)
{
	int n = 0, from = s->end[reader], to = s->end[!reader];

	if (from < 0 || sys_call3(SYS_ioctl, from, FIONREAD, (long)&n) || n <= 0)
		return;
	if (to < 0 || n > MAX_CONTENT || (s->file->kind == FILE_PAIR && s->type != SOCK_STREAM)) {
		lose("data in a pipe or socket from before the first thread");
		return;
	}
	s->content[reader] = ctl_alloc((size_t)n);
	ssize_t got = sys_read(from, s->content[reader], (size_t)n);

	s->length[reader] = got > 0 ? (unsigned)got : 0;
	if (got != n || sys_write(to, s->content[reader], s->length[reader]) != got)
		lose("data in a pipe or socket from before the first thread, which cannot be read and written back");
}

static void get_option(int fd, unsigned i, union option *out)
{
	socklen_t len = options[i].bytes;

	memset(out, 0, sizeof(*out));
	sys_call5(SYS_getsockopt, fd, SOL_SOCKET, options[i].name, (long)out, (long)&len);
}

static void save_options(struct saved *s, int end)
{
	struct pollfd p = {.fd = s->end[end], .events = POLLRDHUP};

	for (unsigned i = 0; p.fd >= 0 && i < OPTIONS; i++)
		get_option(p.fd, i, &s->option[end][i]);
	s->shut[end] = p.fd >= 0 && s->end[!end] >= 0 && sys_poll(&p, 1, 0) > 0 && (p.revents & POLLRDHUP);
}

/* Returns whether a new file can take the place of this one. */
static bool can_be_made(const struct open_file *f)
{
	bool kind = f->kind == FILE_PIPE || f->kind == FILE_PAIR || f->kind == FILE_EVENTFD || f->kind == FILE_TIMER ||
		f->kind == FILE_EPOLL;

	return kind && !f->external;
}

static void remember(struct open_file *f)
{
	struct saved *s = &saved[n_saved];
	socklen_t len = sizeof(s->type);

	*s = (struct saved){.file = f};
	find_ends(s);
	switch ((enum file_kind)f->kind) {
	case FILE_PAIR:
		sys_call5(SYS_getsockopt, s->end[0], SOL_SOCKET, SO_TYPE, (long)&s->type, (long)&len);
		save_options(s, 0);
		save_options(s, 1);
		save_content(s, 1);
		save_content(s, 0);
		break;
	case FILE_PIPE:
		s->pipe_size = sys_fcntl(s->end[0], F_GETPIPE_SZ, 0);
		save_content(s, (s->flags[0] & O_ACCMODE) != O_RDONLY);
		break;
	case FILE_EVENTFD:
	case FILE_TIMER:
		s->count = eventfd_count(s->end[0]);
		break;
	case FILE_EPOLL:
		break;
	case FILE_NET:
	case FILE_RANDOM:
	case FILE_LOCKS:
	case FILE_GROUP:
	case FILE_DEVICE:
		return;
	}
	f->saved = true;
	n_saved++;
}

/* Finds the disarmed watches. For these, /proc shows no events except EPOLLONESHOT and EPOLLET. */
static void find_disarmed(void)
{
	static char text[65536];

	for (unsigned i = 0; i < n_watches; i++) {
		struct watch *w = &watches[i];
		char line[32];

		if (marking && (w->ev.events & (EPOLLONESHOT | EPOLLET)))
			lose("epoll with EPOLLONESHOT or EPOLLET"); /* nothing shows whether an edge was already reported */
		if (marking || !(w->ev.events & EPOLLONESHOT))
			continue;
		fd_info(fd_next(w->ep, -1), text, sizeof(text));
		snprintf(line, sizeof(line), "tfd: %8d events: ", w->fd);
		const char *at = strstr(text, line);

		w->disarmed = at && !(strtoul(at + strlen(line), NULL, 16) & (EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLERR | EPOLLHUP | EPOLLRDHUP));
	}
}

void fd_remember(void)
{
	struct open_file *f;

	n_saved = n_numbers = 0;
	above = 0;
	fd_drop_closed();
	find_disarmed();
	for (unsigned k = 0; (f = fd_file_at(k)) != NULL; k++) {
		if (f->kind == FILE_NET) {
			if (!marking)
				own_files_older_socket();
			lose("sockets from before the first thread: executions share them "
			     "(--isolation exec does not)");
		}
		if (!can_be_made(f))
			continue;
		if (n_saved == MAX_SAVED) {
			lose("more than 256 pipes and eventfds from before the first thread");
			return;
		}
		remember(f);
	}
	if (process_has_children())
		lose("child processes from before the first thread: executions cannot wait for "
		     "them (--isolation exec can)");
}

static bool external(void)
{
	const struct open_file *f;

	for (unsigned k = 0; (f = fd_file_at(k)) != NULL; k++)
		if (f->external)
			return true;
	return false;
}

bool fd_mark(void)
{
	lost = false;
	marking = true;
	if (!external())
		fd_remember();
	else
		lost = true;
	marking = false;
	return !lost;
}

/* ---- in the process of an execution ---- */

/* Ends the session if a system call that creates an open file again failed: executions would share the old one. */
static void must_succeed(long result)
{
	if (sys_failed(result))
		ctl_refuse("cannot create a pipe, socket pair, eventfd or epoll instance of the program again for an execution: %s (is there "
			   "a limit, ulimit -n?)", strerrordesc_np((int)-result));
}

bool fd_is_restored(int fd)
{
	unsigned i = 0;

	while (i < n_numbers && numbers[i].fd != fd)
		i++;
	return i < n_numbers;
}

/* The kernel gives the lowest free number. Where an execution has closed a descriptor, that is one that is still to be
   made again. */
static int out_of_the_way(int fd)
{
	if (!fd_is_restored(fd))
		return fd;
	long higher = sys_fcntl(fd, F_DUPFD_CLOEXEC, above);

	must_succeed(higher);
	sys_close(fd);
	return (int)higher;
}

/* Duplicates the new descriptor `from` to every number of this end. */
static void replace(const struct saved *s, int end, int from)
{
	for (const struct number *n = numbers; n < numbers + n_numbers; n++)
		if (&saved[n->file] == s && n->end == end)
			must_succeed(sys_call3(SYS_dup3, from, n->fd, n->cloexec));
	sys_fcntl(s->end[end], F_SETFL, s->flags[end]);
}

/* Updates the table: the new file has a new inode, and the table recognises files by their inodes. */
static void reidentify(struct open_file *f, int fd)
{
	struct stat st;

	if (f->ino && !sys_call2(SYS_fstat, fd, (long)&st)) {
		f->dev = st.st_dev;
		f->ino = st.st_ino;
	}
}

static void set_option(int fd, unsigned i, const union option *was)
{
	union option now, want = *was;

	get_option(fd, i, &now);
	if (!memcmp(&now, was, sizeof(now)))
		return;
	if (options[i].doubled)
		want.number /= 2;
	must_succeed(sys_call5(SYS_setsockopt, fd, SOL_SOCKET, options[i].name, (long)&want, options[i].bytes));
	get_option(fd, i, &now);
	if (memcmp(&now, was, sizeof(now)))
		must_succeed(-EPERM); /* the program has set an option to a value that simul is not allowed to set again */
}

static void restore_limits(const struct saved *s, const int side[2])
{
	if (s->file->kind == FILE_PIPE) {
		if (sys_fcntl(side[0], F_GETPIPE_SZ, 0) != s->pipe_size)
			must_succeed(sys_fcntl(side[0], F_SETPIPE_SZ, s->pipe_size));
		return;
	}
	for (int e = 0; e < 2; e++) {
		for (unsigned i = 0; s->end[e] >= 0 && i < OPTIONS; i++)
			set_option(side[e], i, &s->option[e][i]);
		if (s->shut[e])
			must_succeed(sys_call2(SYS_shutdown, side[e], SHUT_RD));
	}
}

static void restore_pair(struct saved *s)
{
	int fds[2], reader = (s->flags[0] & O_ACCMODE) == O_RDONLY ? 0 : 1;
	bool pipe = s->file->kind == FILE_PIPE;
	long r = pipe ? sys_call2(SYS_pipe2, (long)fds, O_CLOEXEC)
		      : sys_call4(SYS_socketpair, AF_UNIX, s->type | SOCK_CLOEXEC, 0, (long)fds);

	must_succeed(r);
	fds[0] = out_of_the_way(fds[0]);
	fds[1] = out_of_the_way(fds[1]);
	int side[2] = {fds[pipe ? reader : 0], fds[pipe ? !reader : 1]};

	for (int e = 0; e < 2; e++) {
		if (s->length[e] && sys_write(side[!e], s->content[e], s->length[e]) != (ssize_t)s->length[e])
			must_succeed(-EIO);
	}
	restore_limits(s, side);
	for (int e = 0; e < 2; e++)
		if (s->end[e] >= 0)
			replace(s, e, side[e]);
	sys_close(fds[0]);
	sys_close(fds[1]);
	reidentify(s->file, s->end[0]);
	if (!pipe)
		s->file->other_ino = s->end[1] >= 0 ? fd_inode(s->end[1]) : 0;
}

static void restore_one(struct saved *s)
{
	long fd;

	switch ((enum file_kind)s->file->kind) {
	case FILE_PIPE:
	case FILE_PAIR:
		restore_pair(s);
		return;
	case FILE_EVENTFD:
	case FILE_TIMER:
		fd = sys_call2(SYS_eventfd2, 0, (long)s->file->flags | EFD_CLOEXEC);
		must_succeed(fd);
		if (s->count)
			sys_write((int)fd, &s->count, sizeof(s->count));
		break;
	case FILE_EPOLL:
		fd = sys_call1(SYS_epoll_create1, EPOLL_CLOEXEC);
		must_succeed(fd);
		break;
	case FILE_NET:
	case FILE_RANDOM:
	case FILE_LOCKS:
	case FILE_GROUP:
	case FILE_DEVICE:
	default:
		return;
	}
	fd = out_of_the_way((int)fd);
	replace(s, 0, (int)fd);
	sys_close((int)fd);
}

void fd_restore(void)
{
	for (unsigned i = 0; i < n_saved; i++)
		restore_one(&saved[i]);
	for (unsigned i = 0; i < n_watches; i++) {
		int ep = fd_next(watches[i].ep, -1);
		struct epoll_event ev = watches[i].ev;

		if (watches[i].disarmed)
			ev.events &= EPOLLONESHOT | EPOLLET;
		/* not if the descriptor was closed, and another one keeps the file open */
		if (ep >= 0 && fd_known(watches[i].fd) == watches[i].file)
			sys_call4(SYS_epoll_ctl, ep, EPOLL_CTL_ADD, watches[i].fd, (long)&ev);
	}
}
