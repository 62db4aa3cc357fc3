#include "cli/base/own_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/base/say.h"

/* Returns which other users can write there, as text for a message; NULL: only this user and root can. */
static const char *stranger(const struct stat *st)
{
	if (st->st_uid != geteuid() && st->st_uid != 0)
		return "it belongs to another user";
	if (st->st_mode & S_IWOTH)
		return "every user can write to it (chmod o-w)";
	if ((st->st_mode & S_IWGRP) && st->st_gid != getegid())
		return "another group can write to it (chmod g-w)";
	return NULL;
}

bool own_directory(const char *option, const char *dir)
{
	const char *who;
	struct stat st;

	if (mkdir(dir, 0700) && errno != EEXIST)
		say("%s %s: cannot create this directory: %s", option, dir, strerror(errno));
	else if (stat(dir, &st) || !S_ISDIR(st.st_mode))
		say("%s %s: not a directory", option, dir);
	else if ((who = stranger(&st)))
		say("%s %s: its files cannot be trusted because %s; use a directory of your own", option, dir, who);
	else if (access(dir, R_OK | W_OK | X_OK))
		say("%s %s: cannot write there: %s", option, dir, strerror(errno));
	else
		return true;
	return false;
}

int own_file(const char *path, int flags)
{
	int fd = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	struct stat st;

	if (fd < 0 || (!fstat(fd, &st) && S_ISREG(st.st_mode)))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}
