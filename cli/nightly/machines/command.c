#include "cli/nightly/machines/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define MOST_BYTES (1 << 20)

static void put(FILE *f, const char *word)
{
	fwrite(word, 1, strlen(word) + 1, f);
}

/* Writes an option of the identity as it is given to `simul run`. Without --search there are --from and --depth, too. */
static void put_option(FILE *f, const char *name, const char *value)
{
	if (strncmp(name, "--", 2) || !*value || !strcmp(value, "not given") || !strcmp(name, "--from") || !strcmp(name, "--depth"))
		return;
	put(f, name);
	if (strcmp(value, "given"))
		put(f, value);
}

void command_make(struct command *c, const struct identity *id, char *const *argv)
{
	const char *cwd = identity_value(id->text, id->size, "the working directory");
	FILE *f;

	command_free(c);
	f = open_memstream(&c->text, &c->size);
	INVARIANT(f, "out of memory");
	put(f, cwd ? cwd : "");
	for (const char *name = id->text, *value; name < id->text + id->size; name = value + strlen(value) + 1) {
		value = name + strlen(name) + 1;
		put_option(f, name, value);
	}
	put(f, "--");
	for (; *argv; argv++)
		put(f, *argv);
	INVARIANT(fclose(f) == 0, "out of memory");
}

void command_free(struct command *c)
{
	free(c->text);
	c->text = NULL;
}

char **command_words(char *text, size_t size)
{
	char **words = NULL;
	size_t n = 0;

	if (!size || size > MOST_BYTES || text[size - 1])
		return NULL;
	for (char *word = text; word < text + size; word += strlen(word) + 1) {
		words = xgrow(words, n, sizeof(*words));
		words[n++] = word;
	}
	words = xgrow(words, n, sizeof(*words));
	words[n] = NULL;
	return words;
}
