#include "cli/resume/state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/hash.h"

#define MAGIC "simul search\n\0\0" /* 16 bytes with the terminator */
#define ONCE ((size_t)1 << 30)      /* most bytes in one write */

struct head {
	char magic[16];
	uint64_t format;
};

/* Precedes each section, whose bytes are padded to a multiple of 8. The size field of the last section is the checksum. */
struct section_head {
	uint64_t section, size;
};

static size_t padding(uint64_t size)
{
	return (size_t)(-size & 7);
}

/* Adds whole words to the checksum. So it does not depend on how the bytes are split into calls. */
static uint64_t add_up(uint64_t sum, const void *data, size_t size)
{
	const char *p = data;
	uint64_t word;

	for (; size >= 8; size -= 8, p += 8) {
		memcpy(&word, p, 8);
		sum = hash_mix(sum, word);
	}
	return sum;
}

/* ---- writing ---- */

static void put(struct state_writer *w, const void *data, size_t size)
{
	const char *p = data;

	w->sum = add_up(w->sum, data, size);
	while (size && !w->error) {
		ssize_t n = write(w->fd, p, size < ONCE ? size : ONCE);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			w->error = n < 0 ? errno : ENOSPC;
			return;
		}
		p += n;
		size -= (size_t)n;
	}
}

int state_begin(struct state_writer *w, const char *path)
{
	struct head head = {MAGIC, STATE_FORMAT};

	memset(w, 0, sizeof(*w));
	w->fd = -1;
	if (snprintf(w->path, sizeof(w->path), "%s", path) >= (int)sizeof(w->path))
		return w->error = ENAMETOOLONG;
	snprintf(w->temporary, sizeof(w->temporary), "%s.new", w->path);
	/* Removes the temporary file of a killed run. If anything else has that name, it is not written through. */
	if (unlink(w->temporary) && errno != ENOENT)
		return w->error = errno;
	w->fd = open(w->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (w->fd < 0)
		return w->error = errno;
	put(w, &head, sizeof(head));
	return w->error;
}

/* Writes the bytes after the last whole word, with padding. */
static void put_rest(struct state_writer *w, const void *data, size_t size)
{
	char last[8] = {0};

	if (!(size & 7))
		return;
	memcpy(last, (const char *)data + (size & ~(size_t)7), size & 7);
	put(w, last, sizeof(last));
}

void state_put(struct state_writer *w, enum state_section section, const void *a, size_t a_size, const void *b, size_t b_size)
{
	struct section_head head = {section, a_size + b_size};

	INVARIANT(!b_size || a_size % 8 == 0, "the first piece of a section is %zu bytes", a_size);
	put(w, &head, sizeof(head));
	put(w, a, a_size & ~(size_t)7);
	put_rest(w, a, a_size);
	put(w, b, b_size & ~(size_t)7);
	put_rest(w, b, b_size);
}

void state_end(struct state_writer *w)
{
	struct section_head head = {SECTION_END, w->sum};

	put(w, &head, sizeof(head));
}

/* Makes the new name survive a crash of the machine. */
static int sync_directory(const char *path)
{
	char dir[PATH_MAX];
	char *slash;
	int fd, error = 0;

	snprintf(dir, sizeof(dir), "%s", path);
	slash = strrchr(dir, '/');
	if (slash)
		*slash = 0;
	fd = open(slash ? dir : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	if (fsync(fd) && errno != EINVAL)
		error = errno;
	close(fd);
	return error;
}

int state_commit(struct state_writer *w)
{
	if (w->fd < 0)
		return w->error;
	if (!w->error && fsync(w->fd))
		w->error = errno;
	if (close(w->fd) && !w->error)
		w->error = errno;
	w->fd = -1;
	if (!w->error && rename(w->temporary, w->path))
		w->error = errno;
	if (w->error) {
		unlink(w->temporary);
		return w->error;
	}
	return w->error = sync_directory(w->path);
}

/* ---- reading ---- */

static bool read_section_head(const struct state_reader *r, struct section_head *h)
{
	if (r->size - r->at < sizeof(*h))
		return false;
	memcpy(h, r->data + r->at, sizeof(*h));
	return true;
}

uint64_t state_checksum(const void *data, size_t size)
{
	return add_up(0, data, size);
}

/* Returns whether the sections extend to the end of the file and match the checksum. */
static bool whole(const struct state_reader *r)
{
	struct state_reader at = *r;
	struct section_head h;

	while (read_section_head(&at, &h) && h.section != SECTION_END) {
		uint64_t room = at.size - at.at - sizeof(h);

		if (h.size > room || h.size + padding(h.size) > room)
			return false;
		at.at += sizeof(h) + h.size + padding(h.size);
	}
	return at.size - at.at == sizeof(h) && h.section == SECTION_END && h.size == state_checksum(at.data, at.at);
}

static enum state_trouble map(struct state_reader *r, int fd)
{
	struct stat st;
	void *p;

	if (fstat(fd, &st))
		return STATE_UNREADABLE;
	if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size < sizeof(struct head))
		return STATE_FOREIGN;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return STATE_UNREADABLE;
	r->data = p;
	r->size = (size_t)st.st_size;
	return STATE_GOOD;
}

static enum state_trouble check(const struct state_reader *r)
{
	struct head head;

	memcpy(&head, r->data, sizeof(head));
	if (memcmp(head.magic, MAGIC, sizeof(head.magic)))
		return STATE_FOREIGN;
	if (head.format != STATE_FORMAT)
		return STATE_OTHER_FORMAT;
	return r->size % 8 || !whole(r) ? STATE_DAMAGED : STATE_GOOD;
}

enum state_trouble state_open(struct state_reader *r, const char *path)
{
	enum state_trouble trouble;
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK), error;

	memset(r, 0, sizeof(*r));
	if (fd < 0)
		return errno == ENOENT ? STATE_MISSING : STATE_UNREADABLE;
	trouble = map(r, fd);
	error = errno;
	close(fd);
	state_rewind(r);
	if (trouble == STATE_GOOD && (trouble = check(r)) != STATE_GOOD)
		state_close(r);
	errno = error;
	return trouble;
}

bool state_next(struct state_reader *r, enum state_section *section, const void **data, size_t *size)
{
	struct section_head h;

	if (!read_section_head(r, &h) || h.section == SECTION_END)
		return false;
	*section = (enum state_section)h.section;
	*data = r->data + r->at + sizeof(h);
	*size = h.size;
	r->at += sizeof(h) + h.size + padding(h.size);
	return true;
}

void state_rewind(struct state_reader *r)
{
	r->at = sizeof(struct head);
}

bool state_find(struct state_reader *r, enum state_section wanted, const void **data, size_t *size)
{
	enum state_section section;

	state_rewind(r);
	while (state_next(r, &section, data, size))
		if (section == wanted)
			return true;
	return false;
}

void state_close(struct state_reader *r)
{
	if (r->data)
		munmap((void *)(uintptr_t)r->data, r->size);
	memset(r, 0, sizeof(*r));
}
