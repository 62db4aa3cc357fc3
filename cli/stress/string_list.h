/* A NULL-terminated list of strings that grows: command lines. Freed with environment_free. */
#ifndef SIMUL_STRESS_STRING_LIST_H
#define SIMUL_STRESS_STRING_LIST_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct string_list {
	size_t n;
	char **word; /* NULL while n is 0 */
};

/* Takes `text` over. */
void strings_take(struct string_list *w, char *text);
/* Copies of all of a NULL-terminated list. */
void strings_copy(struct string_list *w, char *const *list);
/* Is `word` one of them? list may be NULL. */
bool strings_have(char *const *list, const char *word);
/* The strings of an array; NULL when it is none, or there are none in it. */
char **strings_of_json(const json_t *array);

#endif
