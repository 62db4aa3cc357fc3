#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/attributes.h"
#include "base/journal_entry.h"

/* ---- restoring: each function returns NULL, or the reason why it failed ---- */

static const char *removed(const char *path)
{
	struct stat st;

	if (lstat(path, &st))
		return errno == ENOENT || errno == ENOTDIR ? NULL : strerrordesc_np(errno);
	if (!(S_ISDIR(st.st_mode) ? rmdir(path) : unlink(path)))
		return NULL;
	return errno == ENOTEMPTY || errno == EEXIST ? "there are files in it that simul did not see being made"
						     : strerrordesc_np(errno);
}

static bool is_same(const struct entry *e, const struct stat *st)
{
	return st->st_dev == e->dev && st->st_ino == e->ino;
}

static bool write_all(int fd, const char *from, uint64_t n)
{
	while (n) {
		ssize_t r = write(fd, from, n);

		if (r <= 0)
			return false;
		from += r;
		n -= (uint64_t)r;
	}
	return true;
}

/* Opens for writing the file that was saved, if it still exists under its path; otherwise creates a new one there. */
static int open_file(struct entry *e)
{
	const char *path = path_of(e);
	struct stat st;
	int fd;

	if (!lstat(path, &st) && S_ISREG(st.st_mode) && is_same(e, &st)) {
		fd = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
		if (fd >= 0 || errno != EACCES || chmod(path, e->mode | S_IWUSR))
			return fd;
		return open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	}
	if (removed(path))
		return -1;
	return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

static const char *put_file(struct entry *e)
{
	const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, e->mtime};
	const char *why = NULL;
	struct stat st;
	int fd = open_file(e);

	if (fd < 0)
		return strerrordesc_np(errno);
	if (!write_all(fd, content_of(e), e->size) || ftruncate(fd, (off_t)e->size) || fstat(fd, &st))
		why = strerrordesc_np(errno);
	else if (((st.st_uid != e->uid || st.st_gid != e->gid) && fchown(fd, e->uid, e->gid)) ||
		 fchmod(fd, e->mode) || futimens(fd, times))
		why = strerrordesc_np(errno);
	close(fd);
	return why;
}

/* The content was not saved. Returns NULL if the file is unchanged, otherwise the complaint. */
static const char *check_large(struct entry *e)
{
	struct stat st;

	if (!lstat(path_of(e), &st) && is_same(e, &st) && (uint64_t)st.st_size == e->size &&
		st.st_ctim.tv_sec == e->ctime.tv_sec && st.st_ctim.tv_nsec == e->ctime.tv_nsec)
		return NULL;
	return "it is too large to be kept, or cannot be read";
}

static const char *put_directory(struct entry *e)
{
	const char *path = path_of(e), *why;
	struct stat st;

	if (lstat(path, &st) || !S_ISDIR(st.st_mode)) {
		why = removed(path);
		if (why || mkdir(path, 0700))
			return why ? why : strerrordesc_np(errno);
		st.st_mode = 0;
	}
	return (st.st_mode & 07777) != e->mode && chmod(path, e->mode) ? strerrordesc_np(errno) : NULL;
}

static const char *put_symlink(struct entry *e)
{
	const char *path = path_of(e), *why;
	static char says[PATH_MAX]; /* not on the stack: a thread's stack may be small */
	ssize_t n = readlink(path, says, sizeof(says));

	if (n >= 0 && (uint64_t)n + 1 == e->more_len && !memcmp(says, more_of(e), (size_t)n))
		return NULL;
	why = removed(path);
	return why ? why : symlink(more_of(e), path) ? strerrordesc_np(errno) : NULL;
}

static const char *put_fifo(struct entry *e)
{
	const char *path = path_of(e), *why;
	struct stat st;

	if (!lstat(path, &st) && S_ISFIFO(st.st_mode))
		return NULL;
	why = removed(path);
	return why ? why : mkfifo(path, e->mode) ? strerrordesc_np(errno) : NULL;
}

static bool same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* A change of owner clears bits of the mode and some attributes, so the owner comes first. Every other change may change the times, so they
   come last. */
static const char *put_attributes(struct entry *e)
{
	const struct timespec times[2] = {e->atime, e->mtime};
	const char *path = path_of(e), *why;
	struct stat st;

	if (lstat(path, &st))
		return strerrordesc_np(errno);
	if ((st.st_mode ^ e->mode) & S_IFMT)
		return "something else is there";
	if ((st.st_uid != e->uid || st.st_gid != e->gid) && (lchown(path, e->uid, e->gid) || lstat(path, &st)))
		return strerrordesc_np(errno);
	if (st.st_mode != e->mode && !S_ISLNK(e->mode) && chmod(path, e->mode & 07777))
		return strerrordesc_np(errno);
	why = attributes_put(path, content_of(e), e->size);
	if (!why && !(same_time(st.st_atim, e->atime) && same_time(st.st_mtim, e->mtime)) && utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW))
		why = strerrordesc_np(errno);
	return why;
}

bool entry_happened(struct entry *e)
{
	struct stat st;

	return e->more_len && (e->done || (!lstat(more_of(e), &st) && is_same(e, &st)));
}

static const char *rename_back(struct entry *e, bool exchange)
{
	const char *from = more_of(e), *to = path_of(e);
	struct stat st;

	if (!entry_happened(e))
		return NULL;
	if (!renameat2(AT_FDCWD, from, AT_FDCWD, to, exchange ? RENAME_EXCHANGE : RENAME_NOREPLACE))
		return NULL;
	if (errno == EINVAL && !exchange && lstat(to, &st) && !rename(from, to))
		return NULL; /* the file system does not support RENAME_NOREPLACE */
	return strerrordesc_np(errno);
}

const char *entry_put_back(struct entry *e)
{
	switch ((enum entry_kind)e->kind) {
	case ENTRY_ABSENT:
		return removed(path_of(e));
	case ENTRY_FILE:
		return put_file(e);
	case ENTRY_LARGE:
		return check_large(e);
	case ENTRY_DIRECTORY:
		return put_directory(e);
	case ENTRY_SYMLINK:
		return put_symlink(e);
	case ENTRY_FIFO:
		return put_fifo(e);
	case ENTRY_ATTRIBUTES:
		return put_attributes(e);
	case ENTRY_RENAME:
		return rename_back(e, false);
	case ENTRY_EXCHANGE:
		return rename_back(e, true);
	case ENTRY_LINK:
		return NULL;
	}
	return NULL;
}
