#include "recorder/said.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PANIC " panicked at "

/* Copies a line without escape sequences (ESC [ ... letter: colours and the like) and outer blanks, and terminates it. */
static void copy_line(const char *from, size_t n, char *to, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < n && used + 1 < size; i++) {
		if (from[i] == '\033' && i + 1 < n && from[i + 1] == '[')
			for (i += 2; i < n && !(from[i] >= '@' && from[i] <= '~');)
				i++;
		else if (used || !isspace((unsigned char)from[i]))
			to[used++] = from[i];
	}
	while (used && isspace((unsigned char)to[used - 1]))
		used--;
	to[used] = '\0';
}

/* Returns the length of the source file extension at s, including the dot, or 0 if there is none. */
static size_t source_suffix(const char *s)
{
	static const char *const suffixes[] = { ".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".h", ".hh", ".hpp", ".hxx", ".h++",
		".inl", ".ipp", ".tpp", ".tcc", ".d", ".rs", ".f90" };

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		size_t n = strlen(suffixes[i]);
		if (!strncmp(s, suffixes[i], n) && (s[n] == ':' || s[n] == '('))
			return n;
	}
	return 0;
}

static bool in_file_name(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("._-+", c));
}

/* Finds "dir/file.c:12" or "file.c(12)" in the part of out->line that begins at `from`. */
static bool find_place(struct said *out, const char *from)
{
	for (const char *dot = strchr(from, '.'); dot; dot = strchr(dot + 1, '.')) {
		size_t suffix = source_suffix(dot), digits, name;
		const char *begin = dot, *path;

		if (!suffix)
			continue;
		digits = strspn(dot + suffix + 1, "0123456789");
		while (begin > from && in_file_name(begin[-1]))
			begin--;
		name = (size_t)(dot - begin) + suffix;
		if (!digits || begin == dot || name + 1 + digits >= sizeof(out->place))
			continue;
		for (path = begin; path > from && (in_file_name(path[-1]) || path[-1] == '/');)
			path--;
		snprintf(out->place, sizeof(out->place), "%.*s:%.*s", (int)name, begin, (int)digits, dot + suffix + 1);
		snprintf(out->path, sizeof(out->path), "%.*s", (int)(dot + suffix - path), path);
		out->number = (int)strtol(dot + suffix + 1, NULL, 10);
		return true;
	}
	return false;
}

/* ---- panics of Rust ---- */

#define MESSAGE_LINES 32 /* a message with more lines is cut there */

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return line + (*line == '\n');
}

/* Returns whether the line at p ends the message of a panic: Rust adds it, or another panic begins. */
static bool ends_message(const char *p)
{
	const char *panic = strstr(p, PANIC);

	return !*p || !strncmp(p, "note: run with `RUST_BACKTRACE", 30) || !strncmp(p, "stack backtrace:", 16) ||
	       (!strncmp(p, "thread '", 8) && panic && panic < p + strcspn(p, "\n"));
}

/* Appends a further line of a message. If `brackets` is not NULL, the two values of assert_eq! go into brackets, "failed (left: 1, right: 2)";
   *brackets says whether they are open. */
static void append_line(struct said *out, const char *line, bool *brackets)
{
	size_t used = strlen(out->line);
	bool open = brackets && *brackets;
	char text[SAID_LINE], last = used ? out->line[used - 1] : '\0';
	const char *before = last == ':' || last == ',' ? " " : open ? ", " : "; ";

	copy_line(line, strcspn(line, "\n"), text, sizeof(text));
	if (!text[0])
		return;
	if (brackets && !open && !strncmp(text, "left: ", 6)) {
		before = " (";
		*brackets = true;
	}
	snprintf(out->line + used, sizeof(out->line) - used, "%s%s", before, text);
}

static void close_brackets(struct said *out, bool brackets)
{
	size_t used = strlen(out->line);

	if (brackets && used + 1 < sizeof(out->line))
		strcpy(out->line + used, ")");
}

/* Removes the number of the kernel thread, which differs each time: "thread 'main' (4711) panicked at". */
static void remove_number(struct said *out)
{
	char *at = strstr(out->line, PANIC), *number;

	*at = '\0';
	number = strrchr(out->line, ' ');
	*at = PANIC[0];
	if (number && number[1] == '(' && number + 2 + strspn(number + 2, "0123456789") + 1 == at)
		memmove(number, at, strlen(at) + 1);
}

/* Completes a panic of Rust from 1.73 on: "thread 'main' panicked at src/q.rs:7:5:" and from `next` on the message. Where nothing shows its end,
   only the first line and the values of assert_eq! are sure to belong to it. */
static void join_lines(struct said *out, const char *next)
{
	const char *end = next;
	bool brackets = false, whole;
	unsigned n = 0;

	while (n++ < MESSAGE_LINES && !ends_message(end))
		end = next_line(end);
	whole = *end && ends_message(end);
	for (const char *p = next; p < end; p = next_line(p)) {
		const char *text = p + strspn(p, " ");

		if (whole || p == next || !strncmp(text, "left: ", 6) || !strncmp(text, "right: ", 7))
			append_line(out, p, &brackets);
		else
			break;
	}
	close_brackets(out, brackets);
}

/* Returns the place's part of a panic of Rust before 1.73, "thread 'main' panicked at 'message', src/q.rs:7:5", or NULL if it is not in this line. */
static const char *place_behind_message(const char *line)
{
	const char *last = NULL;

	for (const char *p = strstr(line, "', "); p; p = strstr(p + 1, "', "))
		last = p + 3;
	return last;
}

/* Joins the lines of such a panic, whose place stands behind the message. Returns whether it was found. */
static bool join_old_panic(struct said *out, const char *next)
{
	for (unsigned n = 0;; n++) {
		const char *place = place_behind_message(strstr(out->line, PANIC));

		if (place && find_place(out, place))
			return true;
		if (n == MESSAGE_LINES || ends_message(next))
			return false;
		append_line(out, next, NULL);
		next = next_line(next);
	}
}

/* Completes out->line, which has the word, from the following lines. Returns whether it is a panic with a place. */
static bool find_panic(struct said *out, const char *next)
{
	const char *at = strstr(out->line, PANIC) + strlen(PANIC);
	bool old = *at == '\'', found = old ? join_old_panic(out, next) : find_place(out, at);

	if (!found)
		return false;
	remove_number(out);
	if (!old && out->line[strlen(out->line) - 1] == ':')
		join_lines(out, next);
	out->panic = true;
	return true;
}

/* ---- lines of the output ---- */

static bool find_with(const char *output, const char *const *words, struct said *out)
{
	for (const char *line = output; *line;) {
		size_t n = strcspn(line, "\n");
		const char *const *word = words;

		copy_line(line, n, out->line, sizeof(out->line));
		while (*word && !strcasestr(out->line, *word))
			word++;
		line += n + (line[n] == '\n');
		if (*word && (strstr(out->line, PANIC) ? find_panic(out, line) : find_place(out, out->line)))
			return true;
	}
	return false;
}

bool said_find(const char *output, struct said *out)
{
	static const char *const sure[] = { "fail", "assert", PANIC, NULL }, *const likely[] = { "error", "unexpected", NULL };

	out->panic = false;
	return output && (find_with(output, sure, out) || find_with(output, likely, out));
}
