#include "preload/life/open_fds.h"

#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <time.h>

#include "preload/base/far_fd.h"
#include "preload/base/state.h"
#include "preload/base/sys.h"
#include "preload/kernel/fd.h"
#include "preload/base/rules.h"

/* Returns the number that the next descriptor gets. */
static int next_fd(const struct open_fds *o)
{
	unsigned i = 0;
	while (i < o->n && o->fd[i] == (int)i)
		i++;
	return (int)i;
}

/* Finds out which of these descriptors are open: the others have POLLNVAL in revents. With few descriptors allowed
   (ulimit -n), ppoll refuses long lists. */
static void ask_open(struct pollfd *fds, unsigned n)
{
	const struct timespec none = { 0 };
	if (!sys_failed(sys_call5(SYS_ppoll, (long)fds, n, (long)&none, 0, 8)))
		return;
	for (unsigned i = 0; i < n; i++)
		fds[i].revents = sys_failed(sys_fcntl(fds[i].fd, F_GETFD, 0)) ? POLLNVAL : 0;
}

/* Finds all descriptors that are open. */
static void all_open(struct open_fds *o)
{
	for (int fd = 0; fd < NOTED_BELOW; fd++)
		o->all[fd] = (struct pollfd){ .fd = fd };
	ask_open(o->all, NOTED_BELOW);
}

/* Returns the first descriptor from `fd` on that is open; NOTED_BELOW if there is none. Call all_open before. */
static int next_open(const struct open_fds *o, int fd)
{
	while (fd < NOTED_BELOW && o->all[fd].revents & POLLNVAL)
		fd++;
	return fd;
}

void open_fds_note(struct open_fds *o, const struct watch *w)
{
	o->n = o->n_expected = 0;
	o->closed = false;
	all_open(o);
	for (int fd = next_open(o, 0); fd < NOTED_BELOW && o->n < NOTED_FDS; fd = next_open(o, fd + 1))
		o->fd[o->n++] = fd;
	for (unsigned i = 0; i < o->n; i++)
		if (o->fd[i] != ctl_session_fd && (!w || (o->fd[i] != w->uffd && o->fd[i] != w->pagemap)))
			o->expected[o->n_expected++] = (struct pollfd){ .fd = o->fd[i] };
	o->expected[o->n_expected] = (struct pollfd){ .fd = next_fd(o) };
}

/* Returns whether it makes no difference that a descriptor of this file stays open: a device or a directory. */
static bool may_stay_open(int fd)
{
	struct stat st;
	return !sys_call2(SYS_fstat, fd, (long)&st) && (S_ISCHR(st.st_mode) || S_ISDIR(st.st_mode));
}

static bool has(const struct open_fds *o, int fd)
{
	unsigned i = 0;
	while (i < o->n && o->fd[i] != fd)
		i++;
	return i < o->n;
}

/* Returns whether it could be duplicated. */
static bool hold(struct open_fds *o, int fd)
{
	if (o->n_held == NOTED_FDS / 2 || !may_stay_open(fd))
		return false;
	long flags = sys_fcntl(fd, F_GETFD, 0), far = sys_fcntl(fd, F_DUPFD_CLOEXEC, FAR_FD);
	if (sys_failed(far))
		return false;
	int cloexec = flags & FD_CLOEXEC ? O_CLOEXEC : 0;
	o->held[o->n_held++] = (struct held_fd){ .fd = fd, .far = (int)far, .flags = cloexec };
	return true;
}

bool open_fds_hold(struct open_fds *o, const struct open_fds *known)
{
	bool all = known->n < NOTED_FDS;
	o->n_held = 0;
	all_open(o);
	for (int fd = next_open(o, 0); all && fd < FAR_FD; fd = next_open(o, fd + 1))
		all = has(known, fd) || fd_is_restored(fd) || hold(o, fd);
	while (!all && o->n_held)
		sys_close(o->held[--o->n_held].far);
	return all;
}

enum descriptors {
	DESCRIPTORS_SAME,
	DESCRIPTORS_FEWER,
	DESCRIPTORS_MORE
};

/* Compares the descriptors with those that were noted: a new one has the lowest number that was free. One call
   finds out which are open: the kernel reports POLLNVAL for the others. */
static enum descriptors descriptors_now(struct open_fds *o)
{
	enum descriptors now = DESCRIPTORS_SAME;
	ask_open(o->expected, o->n_expected + 1);
	for (unsigned i = 0; i < o->n_expected; i++)
		if (o->expected[i].revents & POLLNVAL) {
			bool again = fd_is_restored(o->expected[i].fd);
			o->closed |= again;
			now = again ? now : DESCRIPTORS_FEWER;
		}
	return o->expected[o->n_expected].revents & POLLNVAL ? now : DESCRIPTORS_MORE;
}

/* Closes the descriptors that were not noted. Returns false if not all of those are known. */
static bool close_new(const struct open_fds *o)
{
	unsigned from = 0;
	if (o->n == NOTED_FDS)
		return false;
	for (unsigned i = 0; i <= o->n; i++) {
		unsigned to = i < o->n ? (unsigned)o->fd[i] : NOTED_BELOW;
		if (from < to)
			sys_call3(SYS_close_range, from, to - 1, 0);
		from = to + 1;
	}
	return true;
}

/* Puts back the descriptors of which there are duplicates: the execution may have closed or replaced them. */
static bool held_put_back(const struct open_fds *o)
{
	for (const struct held_fd *h = o->held; h < o->held + o->n_held; h++)
		if (sys_failed(sys_call3(SYS_dup3, h->far, h->fd, h->flags)))
			return false;
	return true;
}

const char *open_fds_put_back(struct open_fds *o, bool made)
{
	if (!held_put_back(o))
		return "close files";
	enum descriptors now = descriptors_now(o);
	if (now == DESCRIPTORS_MORE || made) {
		if (!close_new(o))
			return "leave files open";
		now = descriptors_now(o);
	}
	if (now == DESCRIPTORS_MORE)
		return "leave files open";
	return now == DESCRIPTORS_FEWER ? "close files" : NULL;
}

bool open_fds_no_other(struct open_fds *o)
{
	bool none = true;
	all_open(o);
	for (int fd = next_open(o, 0); none && fd < NOTED_BELOW && o->n < NOTED_FDS; fd = next_open(o, fd + 1))
		none = has(o, fd);
	return none;
}
