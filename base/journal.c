#include "base/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/attributes.h"
#include "base/hash.h"
#include "base/journal_entry.h"

#define SAME_WINDOW 256 /* only this many of the latest entries are searched for a path; if it is missed, a second entry for it costs only memory */

#define FIRST (sizeof(struct journal))

/* Returns the entry at offset `off`. Do not read it before entry_valid has checked it: the program may have overwritten it. */
static struct entry *entry_at(struct journal *j, uint64_t off)
{
	return (struct entry *)((uintptr_t)j + off);
}

static uint64_t checksum(struct entry *e)
{
	const unsigned char *p = (const unsigned char *)&e->kind;
	uint64_t h = HASH_START ^ e->prev;

	return hash_bytes(h, p, sizeof(*e) - offsetof(struct entry, kind) + e->path_len + e->more_len);
}

/* Returns whether the entry at `off` is intact. Entries are contiguous: `end` is the start of the next newer one. */
static bool entry_valid(struct journal *j, uint64_t off, uint64_t end)
{
	struct entry *e = entry_at(j, off);

	if (end > JOURNAL_SIZE || off < FIRST || off % 8 || off >= end || end - off < sizeof(*e) || e->prev >= off)
		return false;
	uint64_t room = end - off - sizeof(*e);

	if (e->path_len < 2 || e->path_len > room || e->more_len > room - e->path_len ||
		content_size(e) > room - e->path_len - e->more_len || e->check != checksum(e))
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
	uint64_t size = sizeof(*e) + e->path_len + e->more_len + content_size(e);

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
	e->atime = st->st_atim;
	e->mtime = st->st_mtim;
	e->ctime = st->st_ctim;
}

/* Returns whether the log holds an older state of `path`, so that its present state need not be saved. `attributes`: asks about its
   attributes only; these need no saving either if the file did not exist. */
static bool saved_before(struct journal *j, const char *path, bool attributes)
{
	uint64_t off = j->end.last;
	size_t len = strlen(path) + 1;

	for (int i = 0; i < SAME_WINDOW && off && off >= j->floor.used; i++) {
		struct entry *e = entry_at(j, off);

		if (e->kind >= ENTRY_RENAME)
			return false;
		if (e->path_len == len && !memcmp(path_of(e), path, len) &&
			(attributes ? e->kind == ENTRY_ATTRIBUTES || e->kind == ENTRY_ABSENT : e->kind != ENTRY_ATTRIBUTES))
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

static void save_attributes(struct journal *j, const char *path, const struct stat *st)
{
	struct entry *e = entry_new(j, ENTRY_ATTRIBUTES, path, 0);
	int64_t n;

	if (!e)
		return;
	n = attributes_read(path, content_of(e), (uint64_t)((char *)j + JOURNAL_SIZE - 8 - content_of(e)));
	if (n < 0) {
		j->lost++;
		n = 0;
	}
	entry_stat(e, st);
	e->mode = st->st_mode;
	e->size = (uint64_t)n;
	entry_add(j, e);
}

static void save_state(struct journal *j, const char *path)
{
	struct stat st;

	if (lstat(path, &st)) {
		if (errno == ENOENT)
			save_plain(j, ENTRY_ABSENT, path, NULL);
		return; /* other errors: the program cannot change this path either */
	}
	if (attributes_any(path) && !saved_before(j, path, true)) /* saved apart, because a file that undo creates again has no attributes */
		save_attributes(j, path, &st);
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

	if (!saved_before(j, path, false))
		save_state(j, path);
	errno = err;
}

void journal_attributes(struct journal *j, const char *path)
{
	int err = errno;
	struct stat st;

	if (!saved_before(j, path, true) && !lstat(path, &st))
		save_attributes(j, path, &st);
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

static const char damaged[] = "the program overwrote what simul had recorded about it and older ones";

/* ---- undo and redo ---- */

/* Returns whether the entry, which has only attributes, is of a file that is no longer there, and undoing older entries makes what was there
   before. */
static bool made_by_older(struct journal *j, const struct entry *e, struct journal_mark mark)
{
	struct stat st;

	if (e->kind != ENTRY_ATTRIBUTES || (!lstat(path_of((struct entry *)e), &st) && st.st_ino == e->ino && st.st_dev == e->dev))
		return false;
	for (uint64_t off = e->prev, end = (uint64_t)((uintptr_t)e - (uintptr_t)j); off && off >= mark.used && entry_valid(j, off, end);) {
		struct entry *older = entry_at(j, off);

		if (older->kind != ENTRY_ATTRIBUTES && !strcmp(path_of(older), path_of((struct entry *)e)))
			return true;
		end = off;
		off = older->prev;
	}
	return false;
}

static void put_back_or_complain(struct journal *j, struct entry *e, struct journal_mark mark, journal_complain complain, void *ctx)
{
	const char *why = made_by_older(j, e, mark) ? NULL : entry_put_back(e);

	if (why)
		complain(ctx, path_of(e), why);
}

unsigned journal_undo(struct journal *j, struct journal_mark mark, journal_complain complain, void *ctx)
{
	uint64_t off = j->end.last, end = j->end.used;
	unsigned n = 0;

	if (off == mark.last && end == mark.used && !j->lost)
		return 0; /* usually; without errno, which may cost a fault (preload/control/thread_pointer.h) */
	int err = errno;

	for (; off && off >= mark.used; n++) {
		struct entry *e = entry_at(j, off);

		if (!entry_valid(j, off, end)) {
			complain(ctx, "a file", damaged);
			break;
		}
		put_back_or_complain(j, e, mark, complain, ctx);
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

void journal_paths(struct journal *j, journal_path visit, void *ctx)
{
	uint64_t end = j->end.used;

	for (uint64_t off = j->end.last; off; off = entry_at(j, off)->prev) {
		struct entry *e = entry_at(j, off);

		if (!entry_valid(j, off, end))
			return;
		visit(ctx, path_of(e));
		if ((e->kind == ENTRY_RENAME || e->kind == ENTRY_EXCHANGE) && e->more_len)
			visit(ctx, more_of(e));
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
		bool moves = (e->kind == ENTRY_RENAME || e->kind == ENTRY_EXCHANGE) && entry_happened(e);

		if (moves)
			journal_rename(j, more_of(e), path_of(e), e->kind == ENTRY_EXCHANGE);
		else if (e->kind == ENTRY_ATTRIBUTES)
			journal_attributes(j, path_of(e));
		else if (e->kind < ENTRY_RENAME)
			journal_save(j, path_of(e));
		put_back_or_complain(j, e, journal_whole(), complain, ctx);
		if (moves)
			journal_renamed(j);
		end = off;
		off = e->prev;
	}
	errno = err;
}
