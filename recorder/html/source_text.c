/*
 * The current source lines around the positions in a recording. File names come from the recording, which may be from another
 * user. Only files that look like source files are read, so that the page does not expose other files.
 */
#include "recorder/html/source_text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "recorder/json/json_phrases.h"
#include "recorder/symbols/symbols.h"

#define AROUND 8             /* lines before and after the one that is shown */
#define MOST_BYTES (8u << 20) /* limit for one file */
#define MOST_LINE 300        /* limit on the bytes of one line */
#define MOST_TOTAL (4u << 20) /* limit on the bytes of all lines of a page */

struct file {
	char *path;
	size_t n_lines;
	int *line; /* line numbers used in it */
};

struct sources {
	char *program;
	bool rebuilt; /* the program differs from the recorded one */
	size_t n;
	struct file *file;
	size_t total;
};

struct sources *sources_new(const char *program, const char *build_id)
{
	struct sources *s = xcalloc(1, sizeof(*s));
	char *now = program ? elf_build_id(program) : NULL;

	s->program = xstrdup(program);
	s->rebuilt = now && build_id && build_id[0] && strcmp(now, build_id) != 0;
	free(now);
	return s;
}

static char *path_of(const struct rec_frame *f)
{
	return !f->dir || f->file[0] == '/' ? xstrdup(f->file) : xasprintf("%s/%s", f->dir, f->file);
}

int sources_add(struct sources *s, const struct rec_frame *f)
{
	struct file *file;
	char *path;
	size_t i = 0;

	if (!f->file)
		return -1;
	path = path_of(f);
	while (i < s->n && strcmp(s->file[i].path, path) != 0)
		i++;
	if (i == s->n) {
		s->file = xgrow(s->file, s->n, sizeof(*s->file));
		s->file[s->n++] = (struct file){ .path = xstrdup(path) };
	}
	free(path);
	file = &s->file[i];
	if (f->line <= 0 || !(f->flags & REC_FRAME_USER))
		return (int)i;
	file->line = xgrow(file->line, file->n_lines, sizeof(*file->line));
	file->line[file->n_lines++] = f->line;
	return (int)i;
}

static bool is_source_name(const char *path)
{
	static const char *const ends[] = { "c", "cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "hxx", "h++", "i", "ii", "inc", "inl",
		"ipp", "tcc", "def", "s", "y", "l", "m", "mm", "rs", "d", "f90", "cu", "cuh" };
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && !strchr(dot, '/') && i < sizeof(ends) / sizeof(ends[0]); i++)
		if (strcasecmp(dot + 1, ends[i]) == 0)
			return true;
	return false;
}

/* Returns the file's text, terminated, or NULL with *note set. */
static char *read_text(const struct sources *s, const char *path, json_t **note)
{
	struct stat st, bin;
	char *text = NULL, *message;
	size_t n = 0;
	int fd;

	if (!is_source_name(path)) {
		*note = json_text("This was not read because its name is not that of a source file.");
		return NULL;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size > (off_t)MOST_BYTES) {
		message = fd < 0 ? xasprintf("The source file could not be read when this page was made: %s.", strerror(errno)) :
			xstrdup("The source file is too large, or not a regular file.");
		*note = json_text(message);
		free(message);
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	text = xcalloc((size_t)st.st_size + 1, 1);
	for (ssize_t got = 1; got > 0 && n < (size_t)st.st_size; n += got > 0 ? (size_t)got : 0)
		got = read(fd, text + n, (size_t)st.st_size - n);
	close(fd);
	for (size_t i = 0; i < n; i++)
		text[i] = text[i] ? text[i] : '?';
	if (s->rebuilt)
		*note = json_text("The program was rebuilt since it was recorded: lines may have moved.");
	else if (s->program && stat(s->program, &bin) == 0 && st.st_mtime > bin.st_mtime)
		*note = json_text("The source file is newer than the program: lines may have moved.");
	return text;
}

static int by_number(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static json_t *line_json(struct sources *s, const char *at, size_t n)
{
	size_t take = n > MOST_LINE ? MOST_LINE : n;
	char *line;
	json_t *j;

	if (take && at[take - 1] == '\r')
		take--;
	while (take && take < n && ((unsigned char)at[take] & 0xc0) == 0x80)
		take--; /* do not cut inside a character */
	line = xasprintf("%.*s%s", (int)take, at, n > MOST_LINE ? "…" : "");
	s->total += take;
	j = json_text(line);
	free(line);
	return j;
}

/* Adds the parts of the text around the file's lines, which are sorted. Returns false when not all of them fit. */
static bool put_parts(struct sources *s, const struct file *f, const char *text, json_t *parts)
{
	size_t k = 0;
	json_t *lines = NULL;
	int number = 1;

	for (const char *at = text; *at && k < f->n_lines; number++) {
		size_t n = strcspn(at, "\n");
		while (k < f->n_lines && number > f->line[k] && number - f->line[k] > AROUND)
			k++;
		if (k == f->n_lines || number < f->line[k] - AROUND) {
			lines = NULL;
		} else {
			if (s->total > MOST_TOTAL)
				return false;
			if (!lines) {
				json_t *part = json_array();
				json_array_append_new(part, json_integer(number));
				lines = json_array();
				json_array_append_new(part, lines);
				json_array_append_new(parts, part);
			}
			json_array_append_new(lines, line_json(s, at, n));
		}
		at += n;
		at += *at == '\n';
	}
	return true;
}

static json_t *file_json(struct sources *s, struct file *f)
{
	json_t *o = json_object(), *note = json_null(), *parts = json_array();
	char *text = NULL;

	if (f->n_lines) {
		qsort(f->line, f->n_lines, sizeof(*f->line), by_number);
		text = read_text(s, f->path, &note);
	}
	if (text && !put_parts(s, f, text, parts)) {
		json_decref(note);
		note = json_text("There was no room for more source lines in this page.");
	}
	free(text);
	json_object_set_new(o, "path", json_text(f->path));
	json_object_set_new(o, "note", note);
	json_object_set_new(o, "parts", parts);
	return o;
}

json_t *sources_json(struct sources *s)
{
	json_t *a = json_array();

	for (size_t i = 0; i < s->n; i++) {
		json_array_append_new(a, file_json(s, &s->file[i]));
		free(s->file[i].path);
		free(s->file[i].line);
	}
	free(s->file);
	free(s->program);
	free(s);
	return a;
}
