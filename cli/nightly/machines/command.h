/*
 * The command with which other machines can join a search (`simul work`): the working directory, the options of `simul run` that change the
 * search, and the program with its arguments. Stored as text: words, each with its terminator. Internal to cli/nightly/machines/.
 */
#ifndef SIMUL_MACHINES_COMMAND_H
#define SIMUL_MACHINES_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/resume/state_identity.h"

struct command {
	char *text; /* malloc()ed */
	size_t size;
};

/* Makes the command of a search with this identity. argv: the program and its arguments. Releases what was there before. */
void command_make(struct command *c, const struct identity *id, char *const *argv);
void command_free(struct command *c);

/* Splits a stored command, which may be damaged. *words: malloc()ed and NULL-terminated, it points into `text`; the first is the working directory. NULL: it
   is none. */
char **command_words(char *text, size_t size);

#endif
