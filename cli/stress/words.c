#include "cli/stress/words.h"

#include <string.h>

#include "recorder/xalloc.h"

void words_take(struct words *w, char *text)
{
	w->word = realloc(w->word, (w->n + 2) * sizeof(*w->word));
	INVARIANT(w->word, "out of memory");
	w->word[w->n++] = text;
	w->word[w->n] = NULL;
}

void words_copy(struct words *w, char *const *list)
{
	for (; *list; list++)
		words_take(w, xstrdup(*list));
}

bool words_have(char *const *list, const char *word)
{
	for (; list && *list; list++)
		if (!strcmp(*list, word))
			return true;
	return false;
}

char **words_of_json(const json_t *array)
{
	struct words w = {.n = 0};
	const json_t *value;
	size_t i;

	json_array_foreach(array, i, value)
		if (json_is_string(value))
			words_take(&w, xstrdup(json_string_value(value)));
	return w.word;
}
