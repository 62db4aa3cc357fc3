/* Meson: the introspection file that it writes into each build directory (the same as `meson introspect --tests`). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/say.h"
#include "cli/stress/list.h"
#include "cli/stress/words.h"
#include "recorder/xalloc.h"

#define MESON_SKIP 77 /* exit status, as for automake */

static char **environment(const json_t *object)
{
	struct words w = {.n = 0};
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)object, name, value)
		if (json_is_string(value))
			words_take(&w, xasprintf("%s=%s", name, json_string_value(value)));
	return w.word;
}

static void add(struct stress *s, const char *dir, const json_t *test)
{
	const char *name = json_string_value(json_object_get(test, "name")), *cwd = json_string_value(json_object_get(test, "workdir"));
	const char *suite = json_string_value(json_array_get(json_object_get(test, "suite"), 0));
	char *whole = xasprintf("%s%s%s", dir, suite && *suite ? ":" : "", suite ? suite : "");
	struct stress_test *t = stress_tests_add(&s->tests, whole, name ? name : "(no name)");

	free(whole);
	t->argv = words_of_json(json_object_get(test, "cmd"));
	t->env = environment(json_object_get(test, "env"));
	t->cwd = xstrdup(cwd ? cwd : dir);
	t->skip_code = MESON_SKIP;
	t->serial = json_is_false(json_object_get(test, "is_parallel"));
	if (!t->argv)
		stress_settle(t, STRESS_UNUSABLE, xstrdup("it has no command"));
}

bool list_meson(struct stress *s, const char *dir, char *why, size_t size)
{
	char *real = realpath(dir, NULL), *path;
	json_error_t error;
	json_t *root, *test;
	bool ok;
	size_t i;

	if (!real) {
		text_set(why, size, "%s", strerror(errno));
		return false;
	}
	path = xasprintf("%s/meson-info/intro-tests.json", real);
	root = json_load_file(path, 0, &error);
	ok = json_is_array(root);
	if (!ok)
		text_set(why, size, "%s is no list of tests (%s); is it a build directory of Meson?", path, root ? "no array" : error.text);
	json_array_foreach(root, i, test)
		add(s, real, test);
	free(path);
	free(real);
	json_decref(root);
	return ok;
}
