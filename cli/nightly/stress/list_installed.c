/*
 * Installed tests, as GNOME's and Debian's packages have them: a file NAME.test with the line Exec=COMMAND in its
 * section [Test]. A command with GLib's tests is asked for their names, if the line Output=TAP is there.
 */
#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/interrupt.h"
#include "cli/nightly/stress/list.h"
#include "cli/nightly/stress/string_list.h"
#include "cli/target/environment.h"
#include "cli/base/say.h"
#include "base/xalloc.h"

#define SUFFIX ".test"

/* Splits a command as a shell does, without expansions. Returns the words; NULL: there is none, or a quote is open. */
static char **split(const char *text)
{
	struct string_list w = {.n = 0};
	char *word = xcalloc(strlen(text) + 1, 1), quote = 0;
	bool any = false;
	size_t n = 0;

	for (;; text++) {
		if (!*text || (!quote && strchr(" \t", *text))) {
			if (any)
				strings_take(&w, xasprintf("%.*s", (int)n, word));
			any = false;
			n = 0;
			if (!*text)
				break;
		} else if (quote ? *text == quote : *text == '"' || *text == '\'') {
			quote = quote ? 0 : *text;
			any = true;
		} else {
			text += *text == '\\' && quote != '\'' && text[1];
			word[n++] = *text;
			any = true;
		}
	}
	free(word);
	if (!quote)
		return w.word;
	if (w.word)
		environment_free(w.word);
	return NULL;
}

/* Reads the command of a .test file. *tap: its output is TAP. malloc()ed words; NULL: it has none. */
static char **command_of(const char *path, bool *tap)
{
	FILE *f = fopen(path, "re");
	char *line = NULL, **words = NULL;
	bool inside = false;
	size_t size = 0;

	*tap = false;
	while (f && getline(&line, &size, f) > 0) {
		line[strcspn(line, "\r\n")] = 0;
		if (*line == '[')
			inside = !strcmp(line, "[Test]");
		else if (inside && !strncmp(line, "Exec=", 5) && !words)
			words = split(line + 5);
		else if (inside && !strcmp(line, "Output=TAP"))
			*tap = true;
	}
	free(line);
	if (f)
		fclose(f);
	return words;
}

/* Adds the tests of a .test file; `name` is its path below the directory. */
static void add_file(struct stress *s, const char *dir, const char *path, const char *name)
{
	char *before = xasprintf("%.*s", (int)(strlen(name) - strlen(SUFFIX)), name);
	bool tap;
	char **command = command_of(path, &tap);
	struct stress_test *t;

	if (!command || !tap || !list_glib_command(s, dir, before, command)) {
		t = stress_tests_add(&s->tests, dir, before);
		t->listed.tap = tap;
		if (command)
			t->listed.argv = command;
		else
			stress_settle(t, STRESS_UNUSABLE, xasprintf("%s has no command in its section [Test]", path));
		command = NULL;
	}
	if (command)
		environment_free(command);
	free(before);
}

/* Returns whether a file has the name of a test. */
static bool is_test(const char *name)
{
	size_t n = strlen(name), m = strlen(SUFFIX);

	return n > m && !strcmp(name + n - m, SUFFIX);
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

bool list_installed(struct stress *s, const char *dir, char *why, size_t size)
{
	char *real = realpath(dir, NULL), *roots[] = {real, NULL};
	FTS *tree = real ? fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name) : NULL;
	size_t before = s->tests.n;
	FTSENT *e;

	if (!tree) {
		text_set(why, size, "%s", strerror(errno));
		free(real);
		return false;
	}
	while (!interrupt_count() && (e = fts_read(tree)))
		if (e->fts_info == FTS_F && is_test(e->fts_name))
			add_file(s, real, e->fts_path, e->fts_path + strlen(real) + 1);
	fts_close(tree);
	free(real);
	if (s->tests.n == before)
		text_set(why, size, "there is no file NAME.test; --installed needs a directory such as "
			"/usr/share/installed-tests/glib");
	return s->tests.n > before;
}
