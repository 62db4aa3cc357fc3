#include "cli/nightly/stress/modify.h"

#include <stdlib.h>
#include <string.h>

#include "cli/target/environment.h"
#include "cli/nightly/stress/string_list.h"
#include "base/xalloc.h"

/* Returns the index of `name` in the list; n: not found. */
static size_t find(const struct string_list *w, const char *name, size_t length)
{
	size_t i = 0;

	while (i < w->n && (strncmp(w->word[i], name, length) || (w->word[i][length] && w->word[i][length] != '=')))
		i++;
	return i;
}

/* Returns the value of entry `at`, or of the environment if there is no such entry. NULL: the variable is unset. */
static const char *value_in(const struct string_list *w, size_t at, const char *name)
{
	const char *equals = at < w->n ? strchr(w->word[at], '=') : NULL;

	return at == w->n ? getenv(name) : equals ? equals + 1 : NULL;
}

/* Takes ownership of `entry`. */
static void put(struct string_list *w, size_t at, char *entry)
{
	if (at == w->n) {
		strings_take(w, entry);
		return;
	}
	free(w->word[at]);
	w->word[at] = entry;
}

/* Returns the entry with `more` before or after the old value, separated by `between`. malloc()ed. */
static char *joined(const char *name, const char *old, const char *more, const char *between, bool before)
{
	if (!old || !*old)
		return xasprintf("%s=%s", name, more);
	return before ? xasprintf("%s=%s%s%s", name, more, between, old) : xasprintf("%s=%s%s%s", name, old, between, more);
}

/* Applies one operation. false: unknown operation. `first`: the value from ENVIRONMENT. */
static bool modify(struct string_list *w, const struct string_list *first, const char *name, const char *operation, const char *value)
{
	static const struct {
		const char *prefix, *between;
	} joins[] = {{"string_", ""}, {"path_list_", ":"}, {"cmake_list_", ";"}};
	size_t at = find(w, name, strlen(name));
	const char *old = value_in(w, at, name);

	for (size_t i = 0; i < sizeof(joins) / sizeof(joins[0]); i++) {
		size_t n = strlen(joins[i].prefix);
		bool before = !strncmp(operation, joins[i].prefix, n) && !strcmp(operation + n, "prepend");

		if (before || (!strncmp(operation, joins[i].prefix, n) && !strcmp(operation + n, "append"))) {
			put(w, at, joined(name, old, value, joins[i].between, before));
			return true;
		}
	}
	if (!strcmp(operation, "set")) {
		put(w, at, xasprintf("%s=%s", name, value));
	} else if (!strcmp(operation, "unset")) {
		put(w, at, xstrdup(name));
	} else if (!strcmp(operation, "reset")) {
		size_t was = find(first, name, strlen(name));

		old = value_in(first, was, name);
		put(w, at, old ? xasprintf("%s=%s", name, old) : xstrdup(name));
	} else {
		return false;
	}
	return true;
}

char **modify_environment(char **env, const json_t *list, const char **unknown)
{
	struct string_list w = {.n = 0}, first = {.n = 0};
	const json_t *one;
	size_t i;

	*unknown = NULL;
	if (!json_array_size(list))
		return env;
	if (env) {
		strings_copy(&w, env);
		strings_copy(&first, env);
		environment_free(env);
	}
	json_array_foreach(list, i, one) {
		char *name = xstrdup(json_is_string(one) ? json_string_value(one) : ""), *operation = strchr(name, '='), *value;

		if (operation)
			*operation++ = 0;
		value = operation ? strchr(operation, ':') : NULL;
		if (value)
			*value++ = 0;
		if (!operation || !*name || !modify(&w, &first, name, operation, value ? value : ""))
			*unknown = json_is_string(one) ? json_string_value(one) : "";
		free(name);
	}
	if (first.word)
		environment_free(first.word);
	return w.word;
}
