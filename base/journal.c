#include "base/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SAME_WINDOW 256 /* how many entries back an earlier entry of a path is searched for; missing one costs only memory */

enum entry_kind {
	ENTRY_ABSENT = 1,
	ENTRY_FILE,
	ENTRY_LARGE, /* a file whose content is not kept */
	ENTRY_DIRECTORY,
	ENTRY_SYMLINK,
	ENTRY_FIFO,
	ENTRY_RENAME,   /* from here on: entries after which older saved states are no longer valid */
	ENTRY_EXCHANGE,
	ENTRY_LINK,
};

/* Followed by the path, the second text and the content. Both texts are terminated by 0. */
struct entry {
	uint64_t prev;     /* offset of the next older one, 0 = none */
	uint64_t check;    /* checksum of everything except the content, `prev`, `done` and this field */
	uint32_t done;     /* 1: the announced rename has happened */
	uint32_t pad_;
	uint32_t kind;     /* enum entry_kind */
	uint32_t path_len; /* bytes, including the terminator */
	uint32_t more_len; /* bytes of the second text (new name of a rename, target of a link); 0: none */
	uint32_t mode;
	uint32_t uid, gid;
	uint64_t dev, ino, size;
	struct timespec mtime, ctime;
};

#define FIRST (sizeof(struct journal))

static struct entry *entry_at(struct journal *j, uint64_t off)
{
	return (struct entry *)((char *)j + off);
}

static char *path_of(struct entry *e)
{
	return (char *)(e + 1);
}

static char *more_of(struct entry *e)
{
	return path_of(e) + e->path_len;
}

static char *content_of(struct entry *e)
{
	return more_of(e) + e->more_len;
}

static uint64_t checksum(struct entry *e)
{
	const unsigned char *p = (const unsigned char *)&e->kind;
	uint64_t h = UINT64_C(0xcbf29ce484222325) ^ e->prev;

	for (size_t n = sizeof(*e) - offsetof(struct entry, kind) + e->path_len + e->more_len; n; n--)
		h = (h ^ *p++) * UINT64_C(0x100000001b3);
	return h;
}

/* Returns whether the entry at `off` is intact. Entries are contiguous: `end` is the start of the next newer one. */
static bool entry_valid(struct journal *j, uint64_t off, uint64_t end)
{
	struct entry *e = entry_at(j, off);

	if (end > JOURNAL_SIZE || off < FIRST || off % 8 || off + sizeof(*e) > end || e->prev >= off)
		return false;
	uint64_t room = end - off - sizeof(*e);
	uint64_t content = e->kind == ENTRY_FILE ? e->size : 0;

	if (e->path_len < 2 || e->path_len > room || e->more_len > room - e->path_len ||
		content > room - e->path_len - e->more_len || e->check != checksum(e))
		return false;
	return path_of(e)[0] == '/' && !path_of(e)[e->path_len - 1] &&
	       (!e->more_len || !more_of(e)[e->more_len - 1]);
}

/* ---- writing ---- */

struct journal_mark journal_whole(void)
{
	return (struct journal_mark){FIRST, 0, 0};
}

void journal_clear(struct journal *j)
{
	j->end = j->floor = journal_whole();
	j->lost = 0;
}

void journal_checkpoint(struct journal *j)
{
	j->floor = j->end;
}

void journal_cancel(struct journal *j, struct journal_mark mark)
{
	j->end = mark;
}

/* Returns a new entry with room for its texts and content, or NULL when the log is full. It is not part of the log yet. */
static struct entry *entry_new(struct journal *j, enum entry_kind kind, const char *path, uint64_t extra)
{
	size_t len = strlen(path) + 1;
	struct entry *e = entry_at(j, j->end.used);

	if (j->end.used < FIRST || j->end.used > JOURNAL_SIZE || j->end.used + sizeof(*e) + len + extra + 8 > JOURNAL_SIZE) {
		j->lost++;
		return NULL;
	}
	memset(e, 0, sizeof(*e));
	e->prev = j->end.last;
	e->kind = kind;
	e->path_len = (uint32_t)len;
	memcpy(path_of(e), path, len);
	return e;
}

static void entry_add(struct journal *j, struct entry *e)
{
	uint64_t size = sizeof(*e) + e->path_len + e->more_len + (e->kind == ENTRY_FILE ? e->size : 0);

	e->check = checksum(e);
	j->end.last = j->end.used;
	j->end.used += (size + 7) / 8 * 8;
}

static void entry_stat(struct entry *e, const struct stat *st)
{
	e->mode = st->st_mode & 07777;
	e->uid = st->st_uid;
	e->gid = st->st_gid;
	e->dev = st->st_dev;
	e->ino = st->st_ino;
	e->size = (uint64_t)st->st_size;
	e->mtime = st->st_mtim;
	e->ctime = st->st_ctim;
}

/* Returns whether an older state of the path is saved already, so that the present one need not be. */
static bool saved_before(struct journal *j, const char *path)
{
	uint64_t off = j->end.last;
	size_t len = strlen(path) + 1;

	for (int i = 0; i < SAME_WINDOW && off && off >= j->floor.used; i++) {
		struct entry *e = entry_at(j, off);

		if (e->kind >= ENTRY_RENAME)
			return false;
		if (e->path_len == len && !memcmp(path_of(e), path, len))
			return true;
		off = e->prev;
	}
	return false;
}

static bool read_all(const char *path, char *to, uint64_t n)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	uint64_t done = 0;
	ssize_t r = 1;

	while (fd >= 0 && done < n && r > 0) {
		r = read(fd, to + done, n - done);
		done += r > 0 ? (uint64_t)r : 0;
	}
	if (fd >= 0)
		close(fd);
	return fd >= 0 && done == n;
}

static void save_file(struct journal *j, const char *path, const struct stat *st)
{
	uint64_t n = (uint64_t)st->st_size;
	bool keep = n <= JOURNAL_CONTENT && j->end.content + n <= JOURNAL_CONTENT;
	struct entry *e = entry_new(j, ENTRY_FILE, path, keep ? n : 0);

	if (!e)
		return;
	entry_stat(e, st);
	if (keep && read_all(path, content_of(e), n))
		j->end.content += n;
	else
		e->kind = ENTRY_LARGE;
	entry_add(j, e);
}

static void save_symlink(struct journal *j, const char *path, const struct stat *st)
{
	struct entry *e = entry_new(j, ENTRY_SYMLINK, path, PATH_MAX);
	ssize_t n = e ? readlink(path, more_of(e), PATH_MAX - 1) : -1;

	if (n < 0)
		return;
	entry_stat(e, st);
	more_of(e)[n] = 0;
	e->more_len = (uint32_t)n + 1;
	entry_add(j, e);
}

static void save_plain(struct journal *j, enum entry_kind kind, const char *path, const struct stat *st)
{
	struct entry *e = entry_new(j, kind, path, 0);

	if (!e)
		return;
	if (st)
		entry_stat(e, st);
	entry_add(j, e);
}

static void save_state(struct journal *j, const char *path)
{
	struct stat st;

	if (lstat(path, &st)) {
		if (errno == ENOENT)
			save_plain(j, ENTRY_ABSENT, path, NULL);
		return; /* in all other cases the program cannot change it either */
	}
	if (S_ISREG(st.st_mode))
		save_file(j, path, &st);
	else if (S_ISLNK(st.st_mode))
		save_symlink(j, path, &st);
	else if (S_ISDIR(st.st_mode))
		save_plain(j, ENTRY_DIRECTORY, path, &st);
	else if (S_ISFIFO(st.st_mode))
		save_plain(j, ENTRY_FIFO, path, &st);
}

void journal_save(struct journal *j, const char *path)
{
	int err = errno;

	if (!saved_before(j, path))
		save_state(j, path);
	errno = err;
}

void journal_rename(struct journal *j, const char *from, const char *to, bool exchange)
{
	size_t len = strlen(to) + 1;
	int err = errno;
	struct stat st, other;
	bool same = false;

	if (!lstat(from, &st)) {
		same = !lstat(to, &other) && st.st_dev == other.st_dev && st.st_ino == other.st_ino;
		struct entry *e =
			same ? NULL : entry_new(j, exchange ? ENTRY_EXCHANGE : ENTRY_RENAME, from, len);
		if (e) {
			entry_stat(e, &st);
			e->more_len = (uint32_t)len;
			memcpy(more_of(e), to, len);
			entry_add(j, e);
		}
	}
	errno = err;
}

void journal_renamed(struct journal *j)
{
	struct entry *e = entry_at(j, j->end.last);

	if (j->end.last && (e->kind == ENTRY_RENAME || e->kind == ENTRY_EXCHANGE))
		e->done = 1;
}

void journal_link(struct journal *j, const char *path)
{
	save_plain(j, ENTRY_LINK, path, NULL);
}

/* ---- restoring: each function returns NULL, or the reason for its failure ---- */

static const char *removed(const char *path)
{
	struct stat st;

	if (lstat(path, &st))
		return errno == ENOENT || errno == ENOTDIR ? NULL : strerrordesc_np(errno);
	if (!(S_ISDIR(st.st_mode) ? rmdir(path) : unlink(path)))
		return NULL;
	return errno == ENOTEMPTY || errno == EEXIST ? "it has files in it whose creation simul did not see"
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

/* Opens the original file for writing, or creates a new one if the path is another file now. */
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

/* The content was not kept. This is no loss if the file has not been written to. */
static const char *check_large(struct entry *e)
{
	struct stat st;

	if (!lstat(path_of(e), &st) && is_same(e, &st) && (uint64_t)st.st_size == e->size &&
		st.st_ctim.tv_sec == e->ctime.tv_sec && st.st_ctim.tv_nsec == e->ctime.tv_nsec)
		return NULL;
	return "it is too large to be kept, or is not readable";
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
	static char says[PATH_MAX]; /* static because stacks of threads may be small */
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

/* Returns whether the rename happened. The process may have died before it, or after it but before it set `done`. In the second
   case nothing else was done since, and the inode identifies the file. */
static bool happened(struct entry *e)
{
	struct stat st;

	return e->more_len && (e->done || (!lstat(more_of(e), &st) && is_same(e, &st)));
}

static const char *rename_back(struct entry *e, bool exchange)
{
	const char *from = more_of(e), *to = path_of(e);
	struct stat st;

	if (!happened(e))
		return NULL;
	if (!renameat2(AT_FDCWD, from, AT_FDCWD, to, exchange ? RENAME_EXCHANGE : RENAME_NOREPLACE))
		return NULL;
	if (errno == EINVAL && !exchange && lstat(to, &st) && !rename(from, to))
		return NULL; /* for a file system without the flag */
	return strerrordesc_np(errno);
}

static const char *put_back(struct entry *e)
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
	case ENTRY_RENAME:
		return rename_back(e, false);
	case ENTRY_EXCHANGE:
		return rename_back(e, true);
	case ENTRY_LINK:
		return NULL;
	}
	return NULL;
}

static const char damaged[] = "the program overwrote simul's record of it and of older changes";

/* ---- undo and redo ---- */

static void put_back_or_complain(struct entry *e, journal_complain complain, void *ctx)
{
	const char *why = put_back(e);

	if (why)
		complain(ctx, path_of(e), why);
}

unsigned journal_undo(struct journal *j, struct journal_mark mark, journal_complain complain, void *ctx)
{
	uint64_t off = j->end.last, end = j->end.used;
	unsigned n = 0;
	int err = errno;

	for (; off && off >= mark.used; n++) {
		struct entry *e = entry_at(j, off);

		if (!entry_valid(j, off, end)) {
			complain(ctx, "a file", damaged);
			break;
		}
		put_back_or_complain(e, complain, ctx);
		end = off;
		off = e->prev;
	}
	if (j->lost)
		complain(ctx, "one of very many files", "the record of changed files is full");
	j->lost = 0;
	j->end = mark;
	errno = err;
	return n;
}

void journal_paths(struct journal *j, journal_path tell, void *ctx)
{
	uint64_t end = j->end.used;

	for (uint64_t off = j->end.last; off; off = entry_at(j, off)->prev) {
		struct entry *e = entry_at(j, off);

		if (!entry_valid(j, off, end))
			return;
		tell(ctx, path_of(e));
		if ((e->kind == ENTRY_RENAME || e->kind == ENTRY_EXCHANGE) && e->more_len)
			tell(ctx, more_of(e));
		end = off;
	}
}

void journal_set_aside(struct journal *j, journal_complain complain, void *ctx)
{
	uint64_t off = j->end.last, end = j->end.used;
	int err = errno;

	while (off) {
		struct entry *e = entry_at(j, off);

		if (!entry_valid(j, off, end)) {
			complain(ctx, "a file", damaged);
			break;
		}
		bool moves = (e->kind == ENTRY_RENAME || e->kind == ENTRY_EXCHANGE) && happened(e);

		if (moves)
			journal_rename(j, more_of(e), path_of(e), e->kind == ENTRY_EXCHANGE);
		else if (e->kind < ENTRY_RENAME)
			journal_save(j, path_of(e));
		put_back_or_complain(e, complain, ctx);
		if (moves)
			journal_renamed(j);
		end = off;
		off = e->prev;
	}
	errno = err;
}
