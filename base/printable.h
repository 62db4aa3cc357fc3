/*
 * Makes text of the program, or of a file from a stranger, harmless to read. Control characters, characters that change the direction of
 * text or are invisible, and bytes that are not UTF-8 become visible escapes such as \x1b and \u202e. Every output of such text uses this.
 */
#ifndef SIMUL_PRINTABLE_H
#define SIMUL_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum printable {
	PRINTABLE_LINE,  /* one line: a newline becomes \n, a tab a space */
	PRINTABLE_LINES, /* newlines and tabs stay */
};

/* Returns whether this character must be replaced before text is shown: control characters, those for the direction of text, and invisible
   ones. */
bool printable_is_harmful(unsigned long character);

/* Returns the text made printable, malloc()ed; NULL for NULL. */
char *printable(const char *text, enum printable how);
/* Writes the text to a buffer as printable would return it. Text that does not fit is cut between two characters. */
void printable_into(const char *text, enum printable how, char *buf, size_t size);
/* Like printable, in place: the buffer holds the text. */
void printable_in_place(char *buf, size_t size, enum printable how);
/* Like printable, for a malloc()ed text, which is replaced. */
void printable_replace(char **text, enum printable how);

/* Returns a stream. When it is closed, its text is made printable (PRINTABLE_LINES) and written to `out`. */
FILE *printable_stream(FILE *out);

#endif
