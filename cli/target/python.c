#include "cli/target/python.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether the base name of the path in `word` begins with "python". */
static bool names_python(const char *word)
{
	const char *base = strrchr(word, '/');

	return !strncmp(base ? base + 1 : word, "python", 6);
}

/* Looks at "#!/usr/bin/python3 -u" or "#!/usr/bin/env -S python3": one of the words names the interpreter. */
static bool script_names_python(const char *path)
{
	char line[256], *rest = line + 2, *word;
	FILE *f = fopen(path, "re");
	bool found = false;

	if (!f)
		return false;
	if (fgets(line, sizeof(line), f) && line[0] == '#' && line[1] == '!')
		while (!found && (word = strsep(&rest, " \t\n")))
			found = names_python(word);
	fclose(f);
	return found;
}

bool target_is_python(const struct target *t)
{
	return t->script ? script_names_python(t->path) : names_python(t->path);
}
