/*
 * A long search of a night, shared by machines that have nothing else to do: the machine that has the test's turn runs `simul run --search`
 * instead of `--resume`, and the others run the same command and ignore its result.
 */
#include <stdlib.h>

#include "base/xalloc.h"
#include "cli/nightly/stress/night.h"
#include "cli/nightly/stress/night_internal.h"
#include "cli/target/environment.h"

struct widening {
	struct stress *s;
	struct stress_test *test;
};

static bool widen(struct engine *e, void *arg)
{
	struct widening *x = arg;
	const struct night *n = x->s->night;
	const struct engine_value v[] = {engine_text(n->id), engine_text(n->runner), engine_text(x->test->sharing.shared->token)};

	if (!engine_query(e, "SELECT simul_stress.widen_turn($1, $2, $3)", v, 3) || engine_rows(e) != 1)
		return false;
	x->test->sharing.wide = engine_true(e, 0, 0);
	return true;
}

void night_widen(struct stress *s, struct stress_test *t)
{
	struct widening x = {s, t};

	if (!t->sharing.shared || t->sharing.wide || t->sharing.narrow || t->slices < 1 || s->night->failed)
		return;
	engine_do(s->night->engine, widen, &x); /* after a failure the next step of the night reports it */
}

struct stress_test *help_begin(struct stress *s)
{
	struct night *n = s->night;
	struct stress_test *t = n->help >= 0 && (size_t)n->help < s->tests.n ? &s->tests.test[n->help] : NULL, *copy;

	n->help = -1;
	if (!t || t->sharing.no_help || t->sharing.shared || !s->state || !t->files.path)
		return NULL;
	copy = xcalloc(1, sizeof(*copy));
	*copy = *t;
	copy->sharing.helps = copy->sharing.wide = copy->native.done = true;
	copy->settled = false;
	copy->why = copy->note = copy->native.output = copy->native.failure = NULL;
	copy->bug = NULL;
	copy->n_bugs = 0;
	copy->command = copy->arguments = NULL;
	copy->run = NULL;
	copy->files.search = copy->files.record = NULL;
	copy->files.recordings = xasprintf("%s/helping", s->state); /* the database has them */
	copy->slices = 0;
	copy->turn = 1;
	return copy;
}

void night_help_end(struct stress *s, struct stress_test *copy)
{
	for (size_t i = 0; i < s->tests.n; i++)
		if (s->tests.test[i].name == copy->name)
			s->tests.test[i].sharing.no_help |= copy->sharing.no_help;
	s->night->asked_ns = 0;
	if (copy->command)
		environment_free(copy->command);
	if (copy->arguments)
		environment_free(copy->arguments);
	free(copy->files.recordings);
	free(copy);
}
