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

/* Finds "dir/file.c:12" or "file.c(12)" in out->line. */
static bool find_place(struct said *out)
{
	const char *line = out->line;

	for (const char *dot = strchr(line, '.'); dot; dot = strchr(dot + 1, '.')) {
		size_t suffix = source_suffix(dot), digits, name;
		const char *begin = dot, *path;

		if (!suffix)
			continue;
		digits = strspn(dot + suffix + 1, "0123456789");
		while (begin > line && in_file_name(begin[-1]))
			begin--;
		name = (size_t)(dot - begin) + suffix;
		if (!digits || begin == dot || name + 1 + digits >= sizeof(out->place))
			continue;
		for (path = begin; path > line && (in_file_name(path[-1]) || path[-1] == '/');)
			path--;
		snprintf(out->place, sizeof(out->place), "%.*s:%.*s", (int)name, begin, (int)digits, dot + suffix + 1);
		snprintf(out->path, sizeof(out->path), "%.*s", (int)(dot + suffix - path), path);
		out->number = (int)strtol(dot + suffix + 1, NULL, 10);
		return true;
	}
	return false;
}

/* Rust prints "thread 'main' (4711) panicked at src/q.rs:7:5:" and the message in the next line, at `next`. Joins them, without the number of
   the kernel thread, which differs each time. */
static void join_panic(struct said *out, const char *next)
{
	char *at = strstr(out->line, PANIC), *number;
	size_t used;

	if (!at)
		return;
	out->panic = true;
	*at = '\0';
	number = strrchr(out->line, ' ');
	*at = PANIC[0];
	if (number && number[1] == '(' && number + 2 + strspn(number + 2, "0123456789") + 1 == at)
		memmove(number, at, strlen(at) + 1);
	used = strlen(out->line);
	if (used && out->line[used - 1] == ':' && used + 2 < sizeof(out->line) && strcspn(next, "\n")) {
		out->line[used] = ' ';
		copy_line(next, strcspn(next, "\n"), out->line + used + 1, sizeof(out->line) - used - 1);
	}
}

static bool find_with(const char *output, const char *const *words, struct said *out)
{
	for (const char *line = output; *line;) {
		size_t n = strcspn(line, "\n");
		const char *const *word = words;

		copy_line(line, n, out->line, sizeof(out->line));
		while (*word && !strcasestr(out->line, *word))
			word++;
		line += n + (line[n] == '\n');
		if (*word && find_place(out)) {
			join_panic(out, line);
			return true;
		}
	}
	return false;
}

bool said_find(const char *output, struct said *out)
{
	static const char *const sure[] = { "fail", "assert", PANIC, NULL }, *const likely[] = { "error", "unexpected", NULL };

	out->panic = false;
	return output && (find_with(output, sure, out) || find_with(output, likely, out));
}
