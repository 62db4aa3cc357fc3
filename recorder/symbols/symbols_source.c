/*
 * Objects on the heap have no symbol, but the source line that first used them contains
 * an expression for them.
 */
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/xalloc.h"
#include "recorder/symbols/symbols_internal.h"

#define MAX_EXPRESSION 40

/* Parts of names of calls that take an object of this kind. */
static const char *const call_words[OBJ_COUNT][4] = {
	[OBJ_MUTEX] = { "mutex_", "mtx_", "lock_guard", "unique_lock" },
	[OBJ_SPIN] = { "spin_" },
	[OBJ_COND] = { "cond_", "cnd_" },
	[OBJ_RWLOCK] = { "rwlock_", "shared_lock" },
	[OBJ_SEM] = { "sem_" },
	[OBJ_BARRIER] = { "barrier_" },
	[OBJ_ONCE] = { "once" },
};

/* Methods of the C++ library that are called on an object of this kind. */
static const char *const methods[OBJ_COUNT][4] = {
	[OBJ_MUTEX] = { "lock", "unlock", "try_lock" },
	[OBJ_COND] = { "wait", "wait_for", "wait_until", "notify_" },
	[OBJ_RWLOCK] = { "lock_shared", "lock", "unlock" },
};

bool symbols_source_line(const struct rec_frame *f, const char *binary, char *buf, int size)
{
	struct stat src, bin;
	bool found = false;
	char *path;
	FILE *in;

	if (!f || !f->dir || !f->file || f->line <= 0 || !binary)
		return false;
	path = xasprintf("%s/%s", f->dir, f->file);
	in = stat(path, &src) == 0 && S_ISREG(src.st_mode) && stat(binary, &bin) == 0 &&
			src.st_mtime <= bin.st_mtime ? fopen(path, "re") : NULL;
	free(path);
	if (!in)
		return false;
	for (int line = 1; line <= f->line && fgets(buf, size, in);) {
		found = line == f->line;
		line += strchr(buf, '\n') != NULL; /* a longer line is read in pieces */
	}
	fclose(in);
	return found;
}

/* Returns the first argument after the parenthesis at p, without `&`; NULL when it is not a simple expression. */
static char *argument(const char *p)
{
	size_t n = 0;
	int depth = 0;

	while (*p == ' ' || *p == '&')
		p++;
	for (; p[n]; n++) {
		if (depth == 0 && strchr(",){}", p[n]))
			break;
		depth += p[n] == '(' || p[n] == '[';
		depth -= p[n] == ')' || p[n] == ']';
		if (!isalnum((unsigned char)p[n]) && !strchr("_->.[]:*()", p[n]))
			return NULL;
	}
	if (n == 0 || n > MAX_EXPRESSION || !p[n] || depth || isdigit((unsigned char)p[0]) || strncmp(p, "__", 2) == 0)
		return NULL; /* such names belong to headers of the C++ library */
	return xasprintf("%.*s", (int)n, p);
}

/* Returns the length of the expression that ends before `end` and begins at or after `line`: names with ., ->, [] and ::. */
static size_t expression_before(const char *line, const char *end)
{
	const char *p = end;
	int depth = 0;

	for (; p > line; p--) {
		char c = p[-1];
		depth += (c == ']') - (c == '[');
		if (depth < 0 || !(depth || isalnum((unsigned char)c) || strchr("_.>:[-", c)) || (c == '>' && (p - 1 == line || p[-2] != '-')))
			break;
	}
	return (size_t)(end - p);
}

/* Returns the object of the only call of such a method in the line, "pool->changed_"; NULL: there is none, or it may be another. */
static char *object_of_method(const char *line, unsigned kind)
{
	char *found = NULL;

	for (const char *open = strchr(line, '('); open; open = strchr(open + 1, '(')) {
		const char *name = open;
		size_t n, link;
		bool is_method = false;
		while (name > line && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
			name--;
		n = (size_t)(open - name);
		link = name > line && name[-1] == '.' ? 1 : name > line + 1 && name[-2] == '-' && name[-1] == '>' ? 2 : 0;
		for (int i = 0; i < 4 && methods[kind][i]; i++) {
			size_t all = strlen(methods[kind][i]);
			is_method |= strncmp(name, methods[kind][i], n < all ? all : n) == 0 || (methods[kind][i][all - 1] == '_' && strncmp(name, methods[kind][i], all) == 0);
		}
		if (!is_method || !link)
			continue;
		n = expression_before(line, name - link);
		if (found || !n || n > MAX_EXPRESSION || isdigit((unsigned char)name[-(ptrdiff_t)(link + n)])) {
			free(found);
			return NULL;
		}
		found = xasprintf("%.*s", (int)n, name - link - n);
	}
	return found;
}

char *symbols_receiver(const char *line, const char *method)
{
	size_t n = strlen(method);
	char *found = NULL, *text;

	for (const char *at = strchr(line, '.'); at; at = strchr(at + 1, '.')) {
		size_t before;

		if (strncmp(at + 1, method, n) != 0 || at[1 + n] != '(')
			continue;
		before = expression_before(line, at);
		text = before && before <= MAX_EXPRESSION && !isdigit((unsigned char)at[-(ptrdiff_t)before]) ? xasprintf("%.*s", (int)before, at - before) : NULL;
		if (found || !text) {
			free(found);
			free(text);
			return NULL;
		}
		found = text;
	}
	return found;
}

char *symbols_from_source(const struct rec_frame *frame, unsigned kind, const char *binary)
{
	char line[512];

	if (!symbols_source_line(frame, binary, line, sizeof(line)))
		return NULL;
	for (int i = 0; i < 4 && call_words[kind][i]; i++) {
		const char *word = strstr(line, call_words[kind][i]);
		const char *open = word ? strpbrk(word, "({") : NULL;
		char *text = open ? argument(open + 1) : NULL;
		if (text)
			return text;
	}
	return object_of_method(line, kind);
}

bool symbols_line_at(struct symbols *s, uint64_t pc, char *buf, int size)
{
	Dwfl_Module *module = pc ? dwfl_addrmodule(s->dwfl, pc) : NULL;
	struct rec_stack st;
	bool found;

	if (!module)
		return false;
	st = symbolize_stack(s, &pc, 1, false);
	found = symbols_source_line(rec_stack_user_frame(&st), symbols_module_path(module), buf, size);
	rec_stack_free(&st);
	return found;
}
