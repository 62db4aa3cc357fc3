/* A growing NULL-terminated list of strings, for command lines. Free it with environment_free. */
#ifndef SIMUL_STRESS_STRING_LIST_H
#define SIMUL_STRESS_STRING_LIST_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct string_list {
	size_t n;
	char **word; /* NULL while n is 0 */
};

/* Appends `text` and takes ownership of it. */
void strings_take(struct string_list *w, char *text);
/* Appends copies of all strings of a NULL-terminated list. */
void strings_copy(struct string_list *w, char *const *list);
/* Returns whether `word` is in the list; list may be NULL. */
bool strings_have(char *const *list, const char *word);
/* Returns the strings of a JSON array; NULL if it is not an array, or has no strings. */
char **strings_of_json(const json_t *array);

#endif
