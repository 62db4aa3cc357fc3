/* Writes files completely or not at all. */
#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"

static int write_all(int fd, const char *text, size_t size)
{
	while (size) {
		ssize_t n = write(fd, text, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		text += n;
		size -= (size_t)n;
	}
	return 0;
}

/* mkstemp creates files that only the owner can access. */
static void set_mode(int fd, mode_t mode)
{
	mode_t mask = umask(022);

	umask(mask);
	if (fchmod(fd, mode & ~mask) < 0)
		return; /* then it stays private, which is safe */
}

/* Makes the new name durable too. Some file systems cannot sync a directory; then only the durability is lost. */
static void sync_directory(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *dir = !slash ? xstrdup(".") : xasprintf("%.*s", (int)(slash - path + 1), path);
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(dir);
}

static int write_renamed(const char *path, const char *text, size_t size, mode_t mode, const char **why)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	char *tmp = xasprintf("%.*s.%s.XXXXXX", (int)(base - path), path, base);
	int err, fd = mkostemp(tmp, O_CLOEXEC);

	*why = "cannot be created";
	if (fd < 0) {
		err = -errno;
		free(tmp);
		return err;
	}
	*why = "cannot be written";
	set_mode(fd, mode);
	err = write_all(fd, text, size);
	if (!err && fsync(fd) < 0)
		err = -errno;
	if (close(fd) < 0 && !err)
		err = -errno;
	if (!err && rename(tmp, path) < 0) {
		*why = "cannot be renamed into place";
		err = -errno;
	}
	if (err)
		unlink(tmp);
	else
		sync_directory(path);
	free(tmp);
	return err;
}

const char *whole_file_refuses(const char *path)
{
	struct stat st;

	if (!path[0])
		return "the name is empty";
	if (stat(path, &st) < 0)
		return NULL; /* a new file; any other problem shows when writing */
	return S_ISDIR(st.st_mode) ? "it is a directory" : S_ISREG(st.st_mode) ? NULL : "it is not a regular file";
}

int write_whole(const char *path, const char *text, size_t size, mode_t mode, const char **why)
{
	sigset_t block, old;
	int err;

	*why = whole_file_refuses(path);
	if (*why)
		return -EINVAL;
	/* Ctrl-C must not leave the temporary file behind. */
	sigemptyset(&block);
	sigaddset(&block, SIGINT);
	sigaddset(&block, SIGTERM);
	sigaddset(&block, SIGHUP);
	sigaddset(&block, SIGQUIT);
	sigprocmask(SIG_BLOCK, &block, &old);
	err = write_renamed(path, text, size, mode, why);
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (!err)
		*why = NULL;
	return err;
}
