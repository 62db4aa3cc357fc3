#include "cli/nightly/stress/string_list.h"

#include <string.h>

#include "base/xalloc.h"

void strings_take(struct string_list *w, char *text)
{
	xappend(&w->word, &w->n, text);
}

void strings_copy(struct string_list *w, char *const *list)
{
	for (; *list; list++)
		strings_take(w, xstrdup(*list));
}

bool strings_have(char *const *list, const char *word)
{
	for (; list && *list; list++)
		if (!strcmp(*list, word))
			return true;
	return false;
}

char **strings_of_json(const json_t *array)
{
	struct string_list w = {.n = 0};
	const json_t *value;
	size_t i;

	json_array_foreach(array, i, value)
		if (json_is_string(value))
			strings_take(&w, xstrdup(json_string_value(value)));
	return w.word;
}
