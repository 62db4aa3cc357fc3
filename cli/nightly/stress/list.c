#include "cli/nightly/stress/list.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cli/base/say.h"
#include "cli/nightly/stress/fixtures.h"
#include "cli/nightly/stress/string_list.h"
#include "cli/target/target.h"

void list_failed(struct stress *s, const char *program, char *why)
{
	struct stress_test *t = stress_tests_add(&s->tests, program, "(list of tests)");

	t->listed.stands_for_all = true;
	stress_settle(t, STRESS_UNUSABLE, why);
}

static bool matches(const struct option_list *patterns, const char *text)
{
	for (size_t i = 0; i < patterns->n; i++)
		if (!fnmatch(patterns->value[i], text, 0))
			return true;
	return false;
}

static bool wanted(const struct stress *s, const struct stress_test *t)
{
	bool labelled = !s->opt.label.n;

	if (t->listed.stands_for_all)
		return true;
	for (char *const *l = t->listed.labels; l && *l; l++)
		labelled |= matches(&s->opt.label, *l);
	return labelled && (!s->opt.filter.n || matches(&s->opt.filter, t->name));
}

/* Returns whether the same test was listed before. */
static bool repeated(const struct stress *s, size_t k)
{
	const struct stress_test *t = &s->tests.test[k];

	for (size_t i = 0; i < k; i++)
		if (!strcmp(s->tests.test[i].name, t->name) && !strcmp(s->tests.test[i].suite, t->suite))
			return true;
	return false;
}

/* Removes tests that do not match the filters, and duplicates. */
static void select_tests(struct stress *s)
{
	bool *keep;

	for (size_t i = 0; i < s->tests.n; i++)
		if (repeated(s, i))
			say("note: %s is listed twice; it is tested once", s->tests.test[i].name);
	keep = xcalloc(s->tests.n + 1, sizeof(*keep));
	for (size_t i = 0; i < s->tests.n; i++)
		keep[i] = wanted(s, &s->tests.test[i]) && !repeated(s, i);
	fixtures_keep(s, keep);
	for (size_t i = s->tests.n; i-- > 0;)
		if (!keep[i])
			stress_tests_remove(&s->tests, i);
	free(keep);
}

/* Adds the program as one test, without arguments. */
static void list_program(struct stress *s, const char *program)
{
	struct stress_test *t = stress_tests_add(&s->tests, "stress", program);
	struct string_list w = {.n = 0};

	strings_take(&w, xstrdup(program));
	t->listed.argv = w.word;
}

/* Returns the path of the library that selects the test of a CMocka program; it is beside libsimul.so. malloc()ed; NULL: one message was
   printed. */
static char *cmocka_helper(void)
{
	struct target target = {.path = NULL};
	char why[SESSION_MESSAGE], *path;

	if (!target_library(&target, why, sizeof(why))) {
		say("stress: %s", why);
		return NULL;
	}
	*strrchr(target.library, '/') = 0;
	path = xasprintf("%s/libsimul-cmocka.so", target.library);
	free(target.library);
	if (!access(path, R_OK) && !strpbrk(path, " :"))
		return path;
	say(strpbrk(path, " :") ? "stress: --cmocka: the dynamic linker cannot preload %s, because its path contains a space or colon; install "
		"simul elsewhere" : "stress: --cmocka: %s is missing; build or install simul again", path);
	free(path);
	return NULL;
}

static bool list_programs(struct stress *s, char **operands)
{
	char *helper = s->opt.framework == FRAMEWORK_CMOCKA ? cmocka_helper() : NULL;

	if (s->opt.framework == FRAMEWORK_CMOCKA && !helper)
		return false;
	for (; *operands; operands++) {
		switch (s->opt.framework) {
		case FRAMEWORK_GTEST:
			list_gtest(s, *operands);
			break;
		case FRAMEWORK_CMOCKA:
			list_cmocka(s, *operands, helper);
			break;
		case FRAMEWORK_GLIB:
		case FRAMEWORK_CATCH2:
		case FRAMEWORK_DOCTEST:
		case FRAMEWORK_BOOST:
			list_names(s, *operands);
			break;
		case FRAMEWORK_CHECK:
			list_check(s, *operands);
			break;
		case FRAMEWORK_NONE:
		case FRAMEWORK_CTEST:
		case FRAMEWORK_MESON:
		case FRAMEWORK_AUTOMAKE:
		case FRAMEWORK_INSTALLED:
		case FRAMEWORK_CARGO:
			list_program(s, *operands);
			break;
		}
	}
	free(helper);
	return true;
}

/* Lists one directory with the function of its framework. */
static bool list_directory(struct stress *s, const char *option, const char *dir,
	bool (*list)(struct stress *s, const char *dir, char *why, size_t size))
{
	char why[1024] = "";

	if (list(s, dir, why, sizeof(why)))
		return true;
	say("stress: --%s %s: %s", option, dir, why);
	return false;
}

/* Lists the packages in the given directories; without any, the one here. */
static bool list_packages(struct stress *s, char **dirs)
{
	char *here[] = {".", NULL};

	for (dirs = *dirs ? dirs : here; *dirs; dirs++)
		if (!list_directory(s, "cargo", *dirs, list_cargo))
			return false;
	return true;
}

static bool list_all(struct stress *s, char **operands)
{
	if (s->opt.framework == FRAMEWORK_CTEST)
		return list_directory(s, "ctest", s->opt.ctest, list_ctest);
	if (s->opt.framework == FRAMEWORK_MESON)
		return list_directory(s, "meson", s->opt.meson, list_meson);
	if (s->opt.framework == FRAMEWORK_AUTOMAKE)
		return list_directory(s, "automake", s->opt.automake, list_automake);
	if (s->opt.framework == FRAMEWORK_INSTALLED)
		return list_directory(s, "installed", s->opt.installed, list_installed);
	if (s->opt.framework == FRAMEWORK_CARGO)
		return list_packages(s, operands);
	return list_programs(s, operands);
}

bool list_tests(struct stress *s, char **operands)
{
	if (!list_all(s, operands))
		return false;
	select_tests(s);
	if (!s->tests.n)
		say(s->opt.filter.n || s->opt.label.n ? "stress: no test matches --filter and --label" :
			"stress: there are no tests");
	return s->tests.n > 0;
}
