/* Locks of files; see file_locks.h. Other processes see them, so the search has one worker. */
#include "preload/base/real.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "preload/control/ctl.h"
#include "preload/hooks/hook_fail.h"
#include "preload/hooks/lock.h"
#include "preload/kernel/file_locks.h"
#include "preload/life/rewind.h"
#include "preload/life/worker.h"

#include "preload/base/rules.h"

static void about_to_lock(void)
{
	rewind_taint("lock files");
	outside_note("locks files");
}

static int done(long r)
{
	return r ? hook_fail((int)-r) : (ctl_leave(), 0);
}

int flock(int fd, int operation)
{
	about_to_lock();
	if (!ctl_enter())
		return real_flock(fd, operation);
	return done(file_lock_whole(fd, operation, __builtin_return_address(0)));
}

int lock_record(int fd, int cmd, struct flock *l, const void *pc)
{
	about_to_lock();
	if (!l || !ctl_enter())
		return real_fcntl(fd, cmd, l);
	return done(file_lock_record(fd, cmd, l, pc));
}

/* lockf locks n bytes from the current position, as a record lock of the process. */
static int lock_from_here(int fd, int cmd, off_t n, const void *pc)
{
	struct flock l = {.l_type = cmd == F_ULOCK ? F_UNLCK : F_WRLCK, .l_whence = SEEK_CUR, .l_len = n};

	if (cmd != F_LOCK && cmd != F_TLOCK && cmd != F_ULOCK)
		return real_lockf(fd, cmd, n);
	return lock_record(fd, cmd == F_LOCK ? F_SETLKW : F_SETLK, &l, pc);
}

int lockf(int fd, int cmd, off_t n)
{
	return lock_from_here(fd, cmd, n, __builtin_return_address(0));
}

int lockf64(int fd, int cmd, __off64_t n)
{
	return lock_from_here(fd, cmd, n, __builtin_return_address(0));
}
