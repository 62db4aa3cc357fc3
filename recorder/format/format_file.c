/* The file of a recording: its first line, its checksum, and a writer that never leaves a partial file. */
#include "recorder/format/format.h"
#include "recorder/format/recording_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "base/xalloc.h"

#define PIECE 65536u /* bytes that are read at once */
#define END_LINE_SIZE (4 + 16 + 1) /* "end ", 16 digits, newline */

/* Where the reader puts its error. */
struct verdict {
	const char *name;
	enum recording_error *err;
	char *message;
	size_t size;
};

__attribute__((format(printf, 3, 4))) static struct recording *reject(
	struct verdict *v, enum recording_error err, const char *fmt, ...)
{
	va_list ap;
	int n;

	*v->err = err;
	n = snprintf(v->message, v->size, "%s ", v->name);
	if (n < 0 || (size_t)n >= v->size)
		return NULL;
	va_start(ap, fmt);
	vsnprintf(v->message + n, v->size - (size_t)n, fmt, ap);
	va_end(ap);
	return NULL;
}

static struct recording *reject_foreign(struct verdict *v)
{
	return reject(v, RECORDING_NOT_ONE,
		"is not a simul recording; give a .simul file that `simul run` wrote");
}

static struct recording *reject_cut(struct verdict *v)
{
	return reject(v, RECORDING_INCOMPLETE,
		"is incomplete: it ends before its last line; copy it again, or record it again with `simul run`");
}

/* Returns the version on the first line, or 0 when there is none. *next becomes the start of the second line. */
static unsigned long first_line(const char *text, size_t size, const char **next)
{
	const char *digit = text + strlen(FORMAT_MAGIC), *eol = memchr(text, '\n', size);
	unsigned long version = 0;

	if (!eol || eol == digit || eol - digit > 9)
		return 0;
	for (; digit < eol; digit++) {
		if (*digit < '0' || *digit > '9')
			return 0;
		version = version * 10 + (unsigned long)(*digit - '0');
	}
	*next = eol + 1;
	return version;
}

/* Returns whether p is a well-formed last line; *sum becomes its checksum. */
static bool end_line(const char *p, unsigned long long *sum)
{
	char digits[17];

	if (memcmp(p, "end ", 4) != 0 || p[END_LINE_SIZE - 1] != '\n')
		return false;
	memcpy(digits, p + 4, 16);
	digits[16] = '\0';
	*sum = strtoull(digits, NULL, 16);
	return strspn(digits, "0123456789abcdef") == 16;
}

struct recording *recording_parse(const char *text, size_t size, const char *name, enum recording_error *err,
	char *message, size_t message_size)
{
	struct verdict v = { name, err, message, message_size };
	size_t magic = strlen(FORMAT_MAGIC), body = size - END_LINE_SIZE;
	unsigned long version;
	unsigned long long sum;
	const char *next = text;
	struct recording *r;
	char problem[200];
	unsigned line;

	if (memcmp(text, FORMAT_MAGIC, size < magic ? size : magic) != 0)
		return reject_foreign(&v);
	if (size <= magic || !memchr(text, '\n', size))
		return reject_cut(&v);
	version = first_line(text, size, &next);
	if (version > RECORDING_VERSION)
		return reject(&v, RECORDING_TOO_NEW,
			"was written by a newer simul (format %lu, this one reads up to %d); install that version",
			version, RECORDING_VERSION);
	if (version == 0)
		return reject(&v, RECORDING_CORRUPT,
			"line 1: the version of the format is damaged; record it again with `simul run`");
	if (size < (size_t)(next - text) + END_LINE_SIZE || !end_line(text + body, &sum))
		return reject_cut(&v);
	if (sum != format_checksum(text, body))
		return reject(&v, RECORDING_CORRUPT,
			"is damaged: its checksum is wrong, some byte was changed; copy it again, or "
			"record it again with `simul run`");
	r = format_read_body(next, body - (size_t)(next - text), (unsigned)version, 2, &line, problem, sizeof(problem));
	if (!r)
		return reject(&v, RECORDING_CORRUPT, "line %u: %s; record it again with `simul run`", line, problem);
	r->version = (uint32_t)version;
	*err = RECORDING_OK;
	if (message_size)
		message[0] = '\0';
	return r;
}

/* Reads the whole file. Returns NULL with errno set on failure. */
static char *slurp(int fd, size_t *size)
{
	size_t n = 0;
	char *buf = NULL;

	for (;;) {
		buf = xgrow_text(buf, n, PIECE);
		ssize_t got = read(fd, buf + n, PIECE);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0 || (n += (size_t)got) > FORMAT_MAX_BYTES) {
			*size = n;
			if (got == 0)
				return buf;
			errno = got < 0 ? errno : EFBIG;
			free(buf);
			return NULL;
		}
	}
}

struct recording *recording_read(const char *path, enum recording_error *err, char *message, size_t size)
{
	struct verdict v = { path, err, message, size };
	struct recording *r;
	struct stat st;
	char *text;
	size_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return reject(&v, RECORDING_MISSING, "cannot be opened: %s", strerror(errno));
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return reject_foreign(&v);
	}
	text = slurp(fd, &n);
	if (!text) {
		int e = errno;
		close(fd);
		return reject(&v, RECORDING_MISSING, "cannot be read: %s", strerror(e));
	}
	close(fd);
	r = recording_parse(text, n, path, err, message, size);
	free(text);
	return r;
}

/* ---- writing ---- */

int recording_write(const struct recording *r, const char *path, const char **why)
{
	const char *problem = NULL;
	size_t size;
	char *text;
	int err;

	if (!why)
		why = &problem;
	*why = NULL;
	if (!recording_valid(r, why))
		return -EINVAL;
	text = recording_format(r, &size);
	err = write_whole(path, text, size, 0600, why);
	free(text);
	return err;
}
