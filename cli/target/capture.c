#include "cli/target/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/printable.h"
#include "base/xalloc.h"
#include "cli/base/interrupt.h"
#include "cli/base/limits.h"
#include "cli/base/say.h"

#define MAX_PIPE (UINT64_C(256) << 20)
#define PATIENCE_MS 2000
#define PUNCH (UINT64_C(1) << 20) /* fewer bytes are not worth a hole */

static int memory_file(const char *name)
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	if (fd >= 0 && fcntl(fd, F_SETFL, O_APPEND)) {
		close(fd);
		return -1;
	}
	return fd;
}

static bool open_outputs(struct capture *c)
{
	c->out_fd = memory_file("stdout");
	c->err_fd = memory_file("stderr");
	if (c->out_fd >= 0 && c->err_fd >= 0)
		return true;
	say("cannot create a file for the program's output: %s%s", strerror(errno), limit_hint(errno));
	capture_close(c);
	return false;
}

static void clear(struct capture *c)
{
	memset(c, 0, sizeof(*c));
	c->out_fd = c->err_fd = c->in_fd = -1;
	c->keep = CAPTURE_KEEP;
}

/* Waits for input on a pipe. Returns false if nothing at all arrives for a while, or when the user stops simul. */
static bool pipe_has_more(bool begun)
{
	struct pollfd p = {.fd = 0, .events = POLLIN};
	int r;

	do
		r = poll(&p, 1, begun ? 100 : PATIENCE_MS);
	while (((r == 0 && begun) || (r < 0 && errno == EINTR)) && !interrupt_count());
	if (r == 0 && !interrupt_count())
		say("standard input (a pipe) sent nothing for %d seconds; the program gets empty standard input. "
		    "Use < FILE, or < /dev/null",
			PATIENCE_MS / 1000);
	return r > 0;
}

/* false with errno. */
static bool write_all(int fd, const char *buf, size_t n)
{
	while (n) {
		ssize_t written = write(fd, buf, n);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return false;
		buf += written;
		n -= (size_t)written;
	}
	return true;
}

static bool slurp_pipe(struct capture *c)
{
	char buf[65536];
	uint64_t total = 0;
	ssize_t n;

	c->in_fd = memfd_create("stdin", MFD_CLOEXEC);
	if (c->in_fd < 0) {
		say("cannot create a file for standard input: %s%s", strerror(errno), limit_hint(errno));
		return false;
	}
	while (pipe_has_more(total > 0) && (n = read(0, buf, sizeof(buf)))) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			say("standard input cannot be read: %s", strerror(errno));
			return false;
		}
		total += (uint64_t)n;
		if (total > MAX_PIPE) {
			say("standard input is a pipe with more than %llu MiB; use < FILE instead",
				(unsigned long long)(MAX_PIPE >> 20));
			return false;
		}
		if (!write_all(c->in_fd, buf, (size_t)n)) {
			say("standard input cannot be copied: %s%s", strerror(errno), limit_hint(errno));
			return false;
		}
	}
	return true;
}

static bool keep_file(struct capture *c)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/fd/0", path, sizeof(path) - 1);

	c->in_fd = fcntl(0, F_DUPFD_CLOEXEC, 3);
	if (c->in_fd < 0) {
		say("cannot open standard input again: %s%s", strerror(errno), limit_hint(errno));
		return false;
	}
	c->in_offset = lseek(0, 0, SEEK_CUR);
	c->in_is_file = true;
	if (n > 0 && path[0] == '/') {
		path[n] = 0;
		c->in_path = xstrdup(path);
	}
	return true;
}

bool capture_open(struct capture *c)
{
	struct stat st;
	bool ok = true;

	clear(c);
	if (fstat(0, &st))
		return open_outputs(c); /* standard input is closed: the program gets an empty one */
	if (S_ISREG(st.st_mode))
		ok = keep_file(c);
	else if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))
		ok = slurp_pipe(c);
	if (!ok) {
		capture_close(c);
		return false;
	}
	return open_outputs(c);
}

bool capture_open_file(struct capture *c, const char *stdin_file)
{
	clear(c);
	if (stdin_file) {
		c->in_fd = open(stdin_file, O_RDONLY | O_CLOEXEC);
		if (c->in_fd < 0) {
			say("cannot open the standard input of the recording, %s: %s", stdin_file, strerror(errno));
			return false;
		}
		c->in_is_file = true;
		c->in_path = xstrdup(stdin_file);
	}
	return open_outputs(c);
}

bool capture_open_like(struct capture *c, const struct capture *other)
{
	clear(c);
	if (other->in_fd >= 0) {
		c->in_fd = fcntl(other->in_fd, F_DUPFD_CLOEXEC, 3);
		if (c->in_fd < 0) {
			say("cannot open standard input again: %s%s", strerror(errno), limit_hint(errno));
			return false;
		}
	}
	c->in_offset = other->in_offset;
	c->in_is_file = other->in_is_file;
	c->in_path = xstrdup(other->in_path);
	c->keep = other->keep;
	return open_outputs(c);
}

void capture_close(struct capture *c)
{
	int fds[] = {c->out_fd, c->err_fd, c->in_fd};

	for (size_t i = 0; i < 3; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free(c->in_path);
	clear(c);
}

/* Returns a descriptor with its own offset, so that reading in one run does not affect the next. */
static int fresh_stdin(const struct capture *c)
{
	char path[64];
	int fd;

	if (c->in_fd < 0)
		return open("/dev/null", O_RDONLY);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", c->in_fd);
	fd = open(path, O_RDONLY);
	if (fd >= 0)
		lseek(fd, c->in_offset, SEEK_SET);
	return fd;
}

bool capture_install(const struct capture *c)
{
	int in = fresh_stdin(c);

	if (in < 0 || dup2(in, 0) < 0 || dup2(c->out_fd, 1) < 0 || dup2(c->err_fd, 2) < 0)
		return false;
	if (in > 2)
		close(in);
	return true;
}

void capture_reset(struct capture *c)
{
	if (ftruncate(c->out_fd, 0) || ftruncate(c->err_fd, 0))
		say("cannot empty the program's output files: %s", strerror(errno));
}

/* Frees the memory of old output. The file keeps its size, so truncating it to its size before an execution still restores it. */
static bool bound(int fd, uint64_t keep)
{
	struct stat st;

	if (fstat(fd, &st) || (uint64_t)st.st_size <= keep || (uint64_t)st.st_blocks * 512 <= keep + PUNCH)
		return false;
	return !fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, st.st_size - (off_t)keep);
}

bool capture_bound(const struct capture *c)
{
	bool out = bound(c->out_fd, c->keep), err = bound(c->err_fd, c->keep);

	return out || err;
}

static size_t tail_of(int fd, char *buf, size_t max)
{
	struct stat st;
	off_t from;
	ssize_t n;

	if (fstat(fd, &st) || st.st_size <= 0)
		return 0;
	from = (uint64_t)st.st_size > max ? st.st_size - (off_t)max : 0;
	n = pread(fd, buf, max, from);
	return n > 0 ? (size_t)n : 0;
}

char *capture_tail(const struct capture *c, size_t max)
{
	char *buf = xcalloc(2 * max + 2, 1);
	size_t n = tail_of(c->out_fd, buf, max);

	if (n && buf[n - 1] != '\n')
		buf[n++] = '\n';
	n += tail_of(c->err_fd, buf + n, max);
	for (size_t i = 0; i < n; i++)
		if (!buf[i])
			buf[i] = '?';
	if (n)
		return buf;
	free(buf);
	return NULL;
}

/* Copies the file without the hole that capture_bound made. false with errno: it could not be read or written. */
static bool copy_all(int from, FILE *to)
{
	char buf[65536];
	off_t at = lseek(from, 0, SEEK_DATA);
	ssize_t n;

	if (at < 0)
		at = 0;
	while ((n = pread(from, buf, sizeof(buf), at)) > 0) {
		if (fwrite(buf, 1, (size_t)n, to) != (size_t)n)
			return false;
		at += n;
	}
	return n == 0 && !fflush(to);
}

/* A terminal gets the output made printable, so that the program cannot send it control sequences. A file or a pipe gets every byte. */
static void show(int from, FILE *to)
{
	FILE *clean = isatty(fileno(to)) ? printable_stream(to) : NULL;

	copy_all(from, clean ? clean : to);
	if (clean)
		fclose(clean);
	fflush(to);
}

void capture_show(const struct capture *c)
{
	show(c->out_fd, stdout);
	show(c->err_fd, stderr);
}

uint64_t capture_input_hash(const struct capture *c, uint64_t *bytes)
{
	uint64_t h = HASH_START;
	unsigned char buf[65536];
	off_t at = c->in_offset;
	ssize_t n;

	while (c->in_fd >= 0 && (n = pread(c->in_fd, buf, sizeof(buf), at)) > 0) {
		h = hash_bytes(h, buf, (size_t)n);
		at += n;
	}
	*bytes = (uint64_t)(at - c->in_offset);
	return h;
}

bool capture_stdin_is_pipe(const struct capture *c)
{
	return c->in_fd >= 0 && !c->in_is_file;
}

bool capture_save_stdin(const struct capture *c, const char *path)
{
	FILE *f = fopen(path, "we");
	bool ok = f != NULL;

	if (f) {
		ok = copy_all(c->in_fd, f);
		ok &= fclose(f) == 0;
	}
	if (!ok)
		say("cannot keep standard input in %s: %s", path, strerror(errno));
	return ok;
}
