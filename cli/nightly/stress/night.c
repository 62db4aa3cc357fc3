#include "cli/nightly/stress/night.h"
#include "cli/nightly/stress/night_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sha2.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cli/base/interrupt.h"
#include "cli/base/json_out.h"
#include "cli/base/say.h"
#include "cli/nightly/stress/bugs.h"
#include "cli/nightly/stress/nights_sql.h"
#include "cli/nightly/stress/outcome.h"
#include "cli/nightly/stress/plan.h"
#include "cli/nightly/stress/state.h"
#include "cli/nightly/stress/test_files.h"
#include "cli/supervise/watchdog.h"
#include "cli/target/target.h"

#define LAYOUT 3
#define ASK_NS NS_PER_S
#define KEEP_NS (5 * NS_PER_S) /* leases last 30 s */
#define NUMBER 40
#define MOST_CAPACITY 1000000 /* processors of all machines together */

static struct engine_value boolean(bool b)
{
	return engine_text(b ? "true" : "false");
}

static size_t number_of(const struct stress *s, const struct stress_test *t)
{
	return (size_t)(t - s->tests.test);
}

/* ---- what is tested ---- */

/* Returns a digest of what determines the search of t, apart from libraries. malloc()ed. */
static char *digest_of_test(const struct stress *s, const struct stress_test *t)
{
	json_t *o = state_setup(s, t);
	char digest[SHA256_DIGEST_STRING_LENGTH] = "", *text;

	json_object_set_new(o, "name", json_text(t->name));
	json_object_set_new(o, "suite", json_text(t->suite));
	if (t->files.build_id && *t->files.build_id)
		json_object_set_new(o, "build", json_text(t->files.build_id));
	else if (t->files.path && SHA256File(t->files.path, digest))
		json_object_set_new(o, "build", json_text(digest));
	text = json_dumps(o, JSON_COMPACT | JSON_SORT_KEYS);
	json_decref(o);
	SHA256Data((const uint8_t *)text, strlen(text), digest);
	free(text);
	return xstrdup(digest);
}

static void add_file(SHA2_CTX *all, const char *path)
{
	char digest[SHA256_DIGEST_STRING_LENGTH] = "";

	if (path && SHA256File(path, digest))
		SHA256Update(all, (const uint8_t *)digest, strlen(digest));
}

/* Returns the tests of the night as JSON, malloc()ed, and the digest of all. A night has those tests that are not settled here. */
static char *tests_of(struct stress *s, size_t *n, char digest[SHA256_DIGEST_STRING_LENGTH])
{
	struct target self = {.path = s->self};
	json_t *list = json_array();
	char why[512], *text;
	SHA2_CTX all;

	SHA256Init(&all);
	add_file(&all, s->self);
	if (target_library(&self, why, sizeof(why)))
		add_file(&all, self.library);
	free(self.library);
	for (size_t i = 0; i < s->tests.n; i++) {
		struct stress_test *t = &s->tests.test[i];
		char *one = digest_of_test(s, t), *key = state_key(t), *full = xasprintf("%s-%.16s", key, one);
		json_t *o;

		SHA256Update(&all, (const uint8_t *)one, strlen(one));
		if (!t->settled && !stress_is_fixture(t)) {
			o = json_pack("{s:I, s:b}", "test", (json_int_t)i, "serial", t->listed.serial);
			json_object_set_new(o, "key", json_text(full));
			json_array_append_new(list, o);
		}
		free(one);
		free(key);
		free(full);
	}
	SHA256End(&all, digest);
	*n = json_array_size(list);
	text = json_dumps(list, JSON_COMPACT);
	json_decref(list);
	return text;
}

/* ---- joining ---- */

struct joining {
	struct stress *s;
	const char *tests, *digest;
};

static bool join(struct engine *e, void *arg)
{
	struct joining *j = arg;
	struct night *n = j->s->night;
	char seconds[NUMBER];
	struct engine_value v[4] = {engine_text(j->s->opt.night), engine_text(j->digest), engine_text(NULL), engine_text(j->tests)}, id, left;

	snprintf(seconds, sizeof(seconds), "%.3f", (double)j->s->opt.time_ns / 1e9);
	if (j->s->opt.time_ns)
		v[2] = engine_text(seconds);
	if (!engine_query(e, "SELECT * FROM simul_stress.join_night($1, $2, $3, $4)", v, 4) || engine_rows(e) != 1)
		return false;
	id = engine_field(e, 0, 0);
	left = engine_field(e, 0, 2);
	text_set(n->id, sizeof(n->id), "%s", id.data ? id.data : "");
	n->begun |= engine_true(e, 0, 1); /* also if the answer was lost at first */
	n->left_s = left.data ? strtod(left.data, NULL) : -1;
	return true;
}

static void set_time(struct stress *s)
{
	const struct night *n = s->night;
	double left = n->left_s < 1e8 ? n->left_s : 1e8;

	s->end_ns = n->left_s < 0 ? 0 : wall_clock_ns() + (uint64_t)(left * 1e9);
	if (s->opt.quiet)
		return;
	if (n->begun)
		say("stress: began a night of %zu tests; machines with the same tests that use this database join it", n->n);
	else if (n->left_s < 0)
		say("stress: joined a night of %zu tests", n->n);
	else
		say("stress: joined a night of %zu tests, %.0f s left", n->n, n->left_s);
}

bool night_join(struct stress *s)
{
	char digest[SHA256_DIGEST_STRING_LENGTH], why[512];
	struct night *n = s->night = xcalloc(1, sizeof(*n));
	struct joining j = {.s = s, .digest = digest};
	char *tests;
	long version;
	bool ok;

	n->not_here = json_array();
	n->capacity = s->opt.jobs;
	uuid_random(n->runner);
	uuid_random(n->token);
	if (gethostname(n->machine, sizeof(n->machine) - 1))
		text_set(n->machine, sizeof(n->machine), "unknown");
	n->engine = engine_open(s->opt.search, why, sizeof(why));
	if (!n->engine) {
		say("stress: --search: %s", why);
		return false;
	}
	j.tests = tests = tests_of(s, &n->n, digest);
	ok = engine_schema(n->engine, "simul_stress", nights_sql, &version);
	if (ok && version != LAYOUT) {
		say("stress: --search: another version of simul made the schema simul_stress in this database (layout %ld, here %d); use another "
			"database, or DROP SCHEMA simul_stress CASCADE", version, LAYOUT);
		free(tests);
		return false;
	}
	ok = ok && engine_do(n->engine, join, &j);
	if (ok)
		set_time(s);
	else if (!engine_is_lost(n->engine))
		say("stress: --search: %s", engine_why(n->engine));
	free(tests);
	return ok;
}

void night_leave(struct stress *s)
{
	if (!s->night)
		return;
	engine_close(s->night->engine);
	json_decref(s->night->not_here);
	free(s->night);
	s->night = NULL;
}

/* ---- turns ---- */

struct asking {
	struct stress *s;
	bool alone, wide;
	long test; /* -1: none */
	int slices;
	char *outcome;
};

static bool ask(struct engine *e, void *arg)
{
	struct asking *a = arg;
	struct night *n = a->s->night;
	char jobs[NUMBER], *skip = json_dumps(n->not_here, JSON_COMPACT);
	struct engine_value v[7] = {engine_text(n->id), engine_text(n->runner), engine_text(n->machine), engine_text(jobs),
		engine_text(n->token), boolean(a->alone), engine_text(skip)}, test, outcome, help;
	long capacity;
	bool ok;

	snprintf(jobs, sizeof(jobs), "%u", a->s->opt.jobs);
	ok = engine_query(e, "SELECT * FROM simul_stress.take_turn($1, $2, $3, $4, $5, $6, $7)", v, 7) && engine_rows(e) == 1;
	free(skip);
	free(a->outcome);
	a->outcome = NULL;
	if (!ok)
		return false;
	test = engine_field(e, 0, 0);
	outcome = engine_field(e, 0, 2);
	a->test = test.data ? strtol(test.data, NULL, 10) : -1;
	help = engine_field(e, 0, 8);
	n->help = help.data ? strtol(help.data, NULL, 10) : -1;
	a->wide = engine_true(e, 0, 9);
	a->slices = (int)engine_number(e, 0, 1);
	a->outcome = outcome.data ? xstrdup(outcome.data) : NULL;
	n->waiting = (size_t)engine_number(e, 0, 3);
	capacity = engine_number(e, 0, 4);
	n->capacity = capacity > 0 && capacity < MOST_CAPACITY ? (unsigned)capacity : 1;
	n->held = (size_t)engine_number(e, 0, 5);
	n->done = (size_t)engine_number(e, 0, 6);
	n->over = engine_true(e, 0, 7);
	a->s->capacity = n->capacity > a->s->opt.jobs ? n->capacity : a->s->opt.jobs;
	return true;
}

struct fetching {
	struct stress *s;
	struct stress_test *test;
	bool recordings; /* only these */
};

static bool fetch(struct engine *e, void *arg)
{
	struct fetching *f = arg;
	char test[NUMBER];
	struct engine_value v[2] = {engine_text(f->s->night->id), engine_text(test)};

	snprintf(test, sizeof(test), "%zu", number_of(f->s, f->test));
	if (!engine_query_binary(e, "SELECT path, data FROM simul_stress.files_of($1, $2)", v, 2))
		return false;
	files_remove(f->test);
	for (int i = 0; i < engine_rows(e); i++) {
		struct engine_value path = engine_field(e, i, 0), data = engine_field(e, i, 1);

		if (!f->recordings || (path.data && !strncmp(path.data, "recordings/", 11)))
			files_place(f->test, path.data ? path.data : "", data.data, data.size);
	}
	return true;
}

/* Reports that the night cannot go on for this machine, once. */
static void fail(struct night *n)
{
	if (!n->failed && !engine_is_lost(n->engine))
		say("stress: --search: %s", engine_why(n->engine));
	n->failed = true;
}

static void free_turn(struct stress_test *t)
{
	free(t->sharing.shared->outcome);
	free(t->sharing.shared->refused);
	free(t->sharing.shared);
	t->sharing.shared = NULL;
}

/* Sets up t, whose turn was taken. */
static void begin(struct stress *s, struct stress_test *t, struct asking *a)
{
	json_t *o = a->outcome ? json_loads(a->outcome, 0, NULL) : json_object();
	char *was = t->settled ? xstrdup(t->why ? t->why : "") : NULL;

	t->sharing.shared = xcalloc(1, sizeof(*t->sharing.shared));
	memcpy(t->sharing.shared->token, s->night->token, UUID);
	t->sharing.shared->slices = a->slices;
	t->sharing.shared->outcome = a->outcome;
	a->outcome = NULL;
	uuid_random(s->night->token);
	s->night->mine++;
	if (was) {
		night_refuse(t, was);
		json_decref(o);
		return;
	}
	outcome_take(t, o);
	t->settled = false;
	json_decref(o);
	if (!t->sharing.shared->outcome) {
		bugs_load(t);
		state_recall(s, t);
	} else {
		bugs_check(t);
	}
	t->sharing.wide |= a->wide;
	t->turn = t->slices + 1;
}

struct stress_test *night_take(struct stress *s, bool alone)
{
	struct night *n = s->night;
	struct asking a = {.s = s, .alone = alone, .test = -1};
	struct fetching f = {.s = s};
	uint64_t now = wall_clock_ns();

	if (n->failed || n->over || (n->asked_ns && now - n->asked_ns < ASK_NS))
		return NULL;
	if (!engine_do(n->engine, ask, &a)) {
		fail(n);
	} else if (a.test >= 0 && (size_t)a.test < s->tests.n) {
		f.test = &s->tests.test[a.test];
		if (f.test->sharing.shared) {
			f.test = NULL; /* its lease ended here unnoticed; it is still running */
		} else if (!f.test->settled && !engine_do(n->engine, fetch, &f)) {
			fail(n);
			f.test = NULL;
		}
	}
	if (f.test)
		begin(s, f.test, &a);
	else
		n->asked_ns = now;
	free(a.outcome);
	return f.test || n->failed ? f.test : help_begin(s);
}

struct giving {
	struct stress *s;
	struct stress_test *test;
	struct engine *engine;
	char *outcome; /* NULL: nothing has changed */
	bool accepted;
};

static bool store(void *arg, const char *name, const void *data, size_t size)
{
	struct giving *g = arg;
	struct engine_value v[4] = {engine_text(g->s->night->id), engine_text(g->test->sharing.shared->token), engine_text(name), engine_bytes(data, size)};

	return engine_query(g->engine, "SELECT simul_stress.store_file($1, $2, $3, $4)", v, 4);
}

static bool give(struct engine *e, void *arg)
{
	struct giving *g = arg;
	const struct stress_test *t = g->test;
	const struct turn *turn = t->sharing.shared;
	double rest = plan_remaining(t);
	char slices[NUMBER], seconds[NUMBER];
	bool again = turn->refused || t->replay_alone;
	struct engine_value v[7] = {engine_text(g->s->night->id), engine_text(turn->token), engine_text(g->outcome), boolean(t->settled && !again),
		engine_text(slices), engine_text(rest < 1e29 ? seconds : NULL), boolean(t->listed.serial || t->replay_alone)};

	snprintf(slices, sizeof(slices), "%d", turn->refused ? turn->slices : (int)t->slices);
	snprintf(seconds, sizeof(seconds), "%.3f", rest);
	if (!engine_query(e, "SELECT simul_stress.give_turn($1, $2, $3, $4, $5, $6, $7)", v, 7))
		return false;
	g->accepted = engine_field(e, 0, 0).data != NULL;
	g->engine = e;
	if (g->accepted)
		return !g->outcome || files_each(g->test, store, g);
	if (!engine_query(e, "SELECT simul_stress.was_given($1, $2)", v, 2)) /* an earlier attempt, whose answer was lost */
		return false;
	g->accepted = engine_true(e, 0, 0);
	return true;
}

void night_give(struct stress *s, struct stress_test *t)
{
	struct night *n = s->night;
	struct giving g = {.s = s, .test = t};
	json_t *o;

	if (!t->sharing.shared)
		return;
	n->mine--;
	n->asked_ns = 0;
	if (!t->sharing.shared->refused && (t->command || t->settled || t->native.done)) {
		o = outcome_of(t);
		g.outcome = json_dumps(o, JSON_COMPACT);
		json_decref(o);
	}
	if (t->sharing.shared->refused) {
		say("stress: --search: %s cannot be searched here: %s", t->name, t->sharing.shared->refused);
		json_array_append_new(n->not_here, json_integer((json_int_t)number_of(s, t)));
	}
	if (!engine_do(n->engine, give, &g))
		fail(n);
	else if (!g.accepted)
		stress_note(t, "another machine took it over, since this one was too slow to answer; what was found here in the meantime is not counted");
	free(g.outcome);
	t->settled = t->sharing.shared->refused != NULL; /* the database knows what is settled; here: what this machine must not take again */
	free_turn(t);
}

static bool keep(struct engine *e, void *arg)
{
	struct night *n = arg;
	struct engine_value v[2] = {engine_text(n->id), engine_text(n->runner)};

	return engine_query(e, "SELECT simul_stress.keep_turns($1, $2)", v, 2);
}

void night_keep(struct stress *s)
{
	struct night *n = s->night;
	uint64_t now = wall_clock_ns();

	if (n->failed || !n->mine || (n->kept_ns && now - n->kept_ns < KEEP_NS))
		return;
	n->kept_ns = now;
	if (!engine_do(n->engine, keep, n))
		fail(n);
}

size_t night_waiting(const struct stress *s)
{
	return s->night->waiting;
}

bool night_goes_on(const struct stress *s)
{
	const struct night *n = s->night;

	return !n->over && !n->failed && !interrupt_count() && stress_left_ns(s) && (n->mine || n->held || n->done + json_array_size(n->not_here) < n->n);
}

size_t night_done(const struct stress *s)
{
	return s->night->done;
}

bool night_began(const struct stress_test *t)
{
	return t->sharing.shared && t->sharing.shared->outcome;
}

void night_refuse(struct stress_test *t, char *why)
{
	free(t->sharing.shared->refused);
	t->sharing.shared->refused = why;
	t->settled = true;
}

/* ---- the results ---- */

static bool results(struct engine *e, void *arg)
{
	struct stress *s = arg;
	struct engine_value v[1] = {engine_text(s->night->id)};

	if (!engine_query(e, "SELECT test, settled, outcome FROM simul_stress.results_of($1)", v, 1))
		return false;
	for (int i = 0; i < engine_rows(e); i++) {
		long k = engine_number(e, i, 0);
		struct engine_value text = engine_field(e, i, 2);
		json_t *o = text.data ? json_loads(text.data, 0, NULL) : NULL;

		if (k < 0 || (size_t)k >= s->tests.n)
			continue;
		outcome_take(&s->tests.test[k], o);
		if (!o && json_array_size(s->night->not_here))
			s->tests.test[k].why = xstrdup("no machine of this night could run it");
		json_decref(o);
	}
	return true;
}

bool night_collect(struct stress *s)
{
	struct night *n = s->night;
	struct fetching f = {.s = s, .recordings = true};

	if (n->failed || !engine_do(n->engine, results, s)) {
		fail(n);
		say("stress: --search: the results of other machines are missing here");
		return false;
	}
	for (size_t i = 0; i < s->tests.n; i++) {
		f.test = &s->tests.test[i];
		if (f.test->n_bugs && f.test->files.recordings && !engine_do(n->engine, fetch, &f)) {
			fail(n);
			return false;
		}
	}
	return true;
}
