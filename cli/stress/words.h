/* A NULL-terminated list of strings that grows: command lines. Freed with environment_free. */
#ifndef SIMUL_STRESS_WORDS_H
#define SIMUL_STRESS_WORDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct words {
	size_t n;
	char **word; /* NULL while n is 0 */
};

/* Takes `text` over. */
void words_take(struct words *w, char *text);
/* Copies of all of a NULL-terminated list. */
void words_copy(struct words *w, char *const *list);
/* Is `word` one of them? list may be NULL. */
bool words_have(char *const *list, const char *word);
/* The strings of an array; NULL when it is none, or there are none in it. */
char **words_of_json(const json_t *array);

#endif
