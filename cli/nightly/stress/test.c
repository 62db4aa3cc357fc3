#include "cli/nightly/stress/test.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/target/environment.h"
#include "cli/nightly/stress/bugs.h"
#include "base/xalloc.h"

struct stress_test *stress_tests_add(struct stress_tests *tests, const char *suite, const char *name)
{
	struct stress_test *t;

	tests->test = xgrow(tests->test, tests->n, sizeof(*tests->test));
	t = &tests->test[tests->n++];
	memset(t, 0, sizeof(*t));
	t->suite = xstrdup(suite);
	t->name = xstrdup(name);
	return t;
}

static void release(struct stress_test *t)
{
	const struct stress_listed *l = &t->listed;
	const struct stress_files *f = &t->files;
	char *own[] = {t->name, t->suite, l->cwd, l->file, f->recordings, f->search, f->record, f->path, f->build_id, t->why, t->note,
		t->native.output, t->native.failure};
	char **lists[] = {l->argv, l->env, t->command, t->arguments, l->skip_output, l->fail_output, l->labels, l->needs, l->after, l->setup, l->cleanup,
		l->required};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		free(own[i]);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (lists[i])
			environment_free(lists[i]);
	for (size_t i = 0; i < t->n_bugs; i++)
		stress_bug_free(&t->bug[i]);
	free(t->bug);
	json_decref(t->run);
}

void stress_tests_remove(struct stress_tests *tests, size_t k)
{
	release(&tests->test[k]);
	memmove(&tests->test[k], &tests->test[k + 1], (tests->n - k - 1) * sizeof(*tests->test));
	tests->n--;
}

void stress_tests_free(struct stress_tests *tests)
{
	for (size_t i = 0; i < tests->n; i++)
		release(&tests->test[i]);
	free(tests->test);
	memset(tests, 0, sizeof(*tests));
}

/* Returns whether this run found or replayed a bug of t. */
static bool has_bug_now(const struct stress_test *t)
{
	for (size_t i = 0; i < t->n_bugs; i++)
		if (!t->bug[i].earlier || t->bug[i].replayed)
			return true;
	return false;
}

void stress_settle(struct stress_test *t, enum stress_status status, char *why)
{
	t->settled = true;
	if (has_bug_now(t)) {
		t->status = STRESS_BUG;
		if (why)
			stress_note(t, "%s", why);
		free(why);
		return;
	}
	t->status = status;
	free(t->why);
	t->why = why;
}

void stress_note(struct stress_test *t, const char *fmt, ...)
{
	char *before = t->note, *text = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	INVARIANT(n >= 0, "out of memory");
	t->note = xasprintf("%s%s%s", before ? before : "", before ? "; " : "", text);
	free(before);
	free(text);
}

bool stress_is_fixture(const struct stress_test *t)
{
	return t->listed.setup || t->listed.cleanup;
}

const char *stress_status_text(enum stress_status status)
{
	static const char *const texts[STRESS_STATUSES] = {"not run", "complete", "incomplete", "bug", "no threads", "skipped",
		"fails natively", "unusable", "fault"};

	return texts[status];
}
