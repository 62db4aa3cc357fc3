/* simul stress: options, order of the steps, exit status. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "cli/options/cmd.h"
#include "cli/options/run_options.h"
#include "cli/target/environment.h"
#include "cli/base/interrupt.h"
#include "cli/supervise/jobs.h"
#include "cli/base/limits.h"
#include "cli/supervise/progress.h"
#include "cli/base/say.h"
#include "cli/nightly/stress/result_files.h"
#include "cli/nightly/stress/fixtures.h"
#include "cli/nightly/stress/list.h"
#include "cli/nightly/stress/native.h"
#include "cli/nightly/stress/night.h"
#include "cli/nightly/stress/plan.h"
#include "cli/nightly/stress/show.h"
#include "cli/nightly/stress/state.h"
#include "cli/nightly/stress/steps.h"
#include "cli/supervise/watchdog.h"
#include "base/printable.h"
#include "base/xalloc.h"

#define NATIVE_NS (60 * NS_PER_S)
#define MOST_JOBS 256

#define TESTS "Tests\n  TEST                   a program, run without arguments" /* the operand comes first */
#define BUDGET "Budget"
#define RESULTS "Results"

#define OPTIONS_INTO struct stress_options

static const struct option_spec specs[] = {
	{"gtest", NULL, TO_FLAG(gtest), "each test of GoogleTest programs, one by one", TESTS},
	{"cmocka", NULL, TO_FLAG(cmocka),
		"each test of CMocka programs (linked with libcmocka.so), one by\n"
		"one; each program is run once to list its tests", TESTS},
	{"glib", NULL, TO_FLAG(glib), "each test of GLib programs (g_test_run), one by one", TESTS},
	{"catch2", NULL, TO_FLAG(catch2), "each test case of Catch2 programs, one by one", TESTS},
	{"doctest", NULL, TO_FLAG(doctest), "each test case of doctest programs, one by one", TESTS},
	{"boost", NULL, TO_FLAG(boost), "each test case of Boost.Test programs, one by one", TESTS},
	{"check", NULL, TO_FLAG(check),
		"each test case (TCase) of Check programs, one by one; each\n"
		"program is run once to list them", TESTS},
	{"ctest", "DIR", TO_TEXT(ctest), "the tests of a CMake build directory", TESTS},
	{"meson", "DIR", TO_TEXT(meson), "the tests of a Meson build directory", TESTS},
	{"automake", "DIR", TO_TEXT(automake),
		"the tests of make check in an Automake build directory; make\n"
		"builds them first", TESTS},
	{"installed", "DIR", TO_TEXT(installed), "installed tests: the files NAME.test in DIR and below", TESTS},
	{"cargo", NULL, TO_FLAG(cargo),
		"the tests of the Rust package in each DIR (default: here), one\n"
		"by one; cargo builds them first", TESTS},
	{"config", "NAME", TO_TEXT(config), "with --ctest: the configuration, as in ctest -C NAME", TESTS},
	{"filter", "PATTERN", TO_LIST(filter), "only tests whose name matches, as '*queue*' (several times)", TESTS},
	{"label", "PATTERN", TO_LIST(label), "only tests whose label (CMake) or suite (Meson) matches", TESTS},
	{"list", NULL, TO_FLAG(list), "list the names of the tests and exit", TESTS},
	{"native-timeout", "TIME", TO_DURATION(native_ns, NS_PER_S / 1000, 0),
		"do not search a test that does not pass without simul within\n"
		"this time (default: the time limit set in CMake or Meson,\n"
		"else 60s)", TESTS},
	{"time", "DURATION", TO_DURATION(time_ns, NS_PER_S / 1000, 0),
		"total time for all tests: first a short search of each, then\n"
		"the rest for the unfinished ones, starting with small ones", BUDGET},
	{"jobs", "N", TO_U32(jobs, 1, MOST_JOBS),
		"tests run in parallel (default: one for each processor); with\n"
		"fewer tests, workers share a search", BUDGET},
	{"state", "DIR", TO_TEXT(state), "save searches and bugs in DIR for the next run", BUDGET},
	{"search", "URL", TO_TEXT(search),
		"share the tests with other machines, through a PostgreSQL\n"
		"database: each test is searched by one of them at a time, and\n"
		"all report the results of all. Replaces --state", BUDGET},
	{"night", "NAME", TO_TEXT(night),
		"with --search: join the night with this name, also after its\n"
		"end, or begin it (default: the one with the same tests that is\n"
		"not over)", BUDGET},
	{"keep-going", NULL, TO_FLAG(keep_going), "look for more bugs in a test that has one", BUDGET},
	{"require-complete", NULL, TO_FLAG(require_complete), "exit with 3 unless all searches are complete", BUDGET},
	{"output", "DIR", TO_TEXT(output),
		"write recordings to DIR (default: recordings in the directory\n"
		"of --state; without --state: simul-stress)", RESULTS},
	{"junit", "FILE", TO_TEXT(junit), "write JUnit XML; failures contain the interleaving", RESULTS},
	{"sarif", "FILE", TO_TEXT(sarif), "write SARIF 2.1.0, for code scanning", RESULTS},
	{"json", "FILE", TO_TEXT(json),
		"write all results as JSON. One of these three files can be '-',\n"
		"standard output", RESULTS},
	{"quiet", NULL, TO_FLAG(quiet), "print only the last line", RESULTS, .letter = 'q'},
	{.name = NULL},
};

/* *passed: the options for `simul run`, NULL-terminated; owned by the caller. */
static bool read_options(struct stress_options *o, char ***passed, int argc, char **argv, int *first, int *code)
{
	struct options_passed given = {.n = 0};
	const struct option_table table = {
		.command = "stress",
		.own = specs,
		.run = run_option_specs(),
		.too = STRESS_TOO,
		.passed = &given,
	};
	bool ok = options_read(&table, o, argc, argv, first, code);

	*passed = options_pass_on(&given, table.run);
	return ok;
}

/* Returns the option that names the directory of the tests; NULL: none does. */
static const char *directory_option(const struct stress_options *o)
{
	if (o->ctest)
		return "ctest";
	if (o->meson)
		return "meson";
	if (o->automake)
		return "automake";
	return o->installed ? "installed" : NULL;
}

static bool choose_framework(struct stress_options *o, int operands)
{
	const struct {
		bool given;
		enum stress_framework framework;
	} choices[] = {
		{o->gtest, FRAMEWORK_GTEST},
		{o->cmocka, FRAMEWORK_CMOCKA},
		{o->glib, FRAMEWORK_GLIB},
		{o->catch2, FRAMEWORK_CATCH2},
		{o->doctest, FRAMEWORK_DOCTEST},
		{o->boost, FRAMEWORK_BOOST},
		{o->check, FRAMEWORK_CHECK},
		{o->cargo, FRAMEWORK_CARGO},
		{o->ctest != NULL, FRAMEWORK_CTEST},
		{o->meson != NULL, FRAMEWORK_MESON},
		{o->automake != NULL, FRAMEWORK_AUTOMAKE},
		{o->installed != NULL, FRAMEWORK_INSTALLED},
	};
	const char *directory = directory_option(o);
	int given = 0;

	o->framework = FRAMEWORK_NONE;
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++)
		if (choices[i].given) {
			o->framework = choices[i].framework;
			given++;
		}
	if (given > 1) {
		say("stress: --gtest, --cmocka, --glib, --catch2, --doctest, --boost, --check, --cargo, --ctest, "
		    "--meson, --automake and --installed exclude each other");
		return false;
	}
	if (directory && operands) {
		say("stress: --%s takes its tests from the directory; to select some: --filter PATTERN", directory);
		return false;
	}
	if (o->config && !o->ctest) {
		say("stress: --config needs --ctest");
		return false;
	}
	if (o->label.n && !o->ctest && !o->meson) {
		say("stress: --label needs --ctest or --meson; to select tests by name: --filter PATTERN");
		return false;
	}
	if (o->search && o->state) {
		say("stress: --search keeps everything in its database; leave out --state");
		return false;
	}
	if (o->night && (!o->search || !*o->night)) {
		say("stress: --night NAME needs --search and a name");
		return false;
	}
	if (!directory && !o->cargo && !operands) {
		say("stress: no test given; for example: simul stress --time 30m -- ./queue_test ./pool_test");
		return false;
	}
	return true;
}

uint64_t stress_left_ns(const struct stress *s)
{
	uint64_t now = wall_clock_ns();

	return !s->end_ns ? UINT64_MAX : now < s->end_ns ? s->end_ns - now : 0;
}

/* Removes variables that a framework reads, since they would change what runs. */
static void clean_environment(const struct stress_options *o)
{
	static const char *const names[] = {
		"GTEST_TOTAL_SHARDS",
		"GTEST_SHARD_INDEX",
		"GTEST_SHARD_STATUS_FILE",
		"GTEST_OUTPUT",
		"GTEST_FILTER",
		"GTEST_REPEAT",
		"GTEST_SHUFFLE",
		"GTEST_ALSO_RUN_DISABLED_TESTS",
		"TESTBRIDGE_TEST_ONLY",
		"TEST_TOTAL_SHARDS",
		"XML_OUTPUT_FILE",
		"CMOCKA_XML_FILE",
		"CMOCKA_MESSAGE_OUTPUT",
		"CK_FORK",
		"CK_RUN_SUITE",
		"CK_RUN_CASE",
		"CK_INCLUDE_TAGS",
		"CK_EXCLUDE_TAGS",
		"CK_XML_LOG_FILE_NAME",
		"CK_LOG_FILE_NAME",
		"CK_TAP_LOG_FILE_NAME",
	};

	if (o->gtest || o->cmocka || o->check)
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			unsetenv(names[i]);
}

static void replay_known(struct stress *s)
{
	struct stress_test **list = xcalloc(s->tests.n, sizeof(*list));
	size_t n = 0;

	for (size_t i = 0; i < s->tests.n; i++)
		if (s->tests.test[i].n_bugs)
			list[n++] = &s->tests.test[i];
	pool_run(s, list, n, &steps_replay);
	free(list);
	for (size_t i = 0; i < s->tests.n; i++)
		steps_decide(s, &s->tests.test[i]);
}

/* Replays the bugs found while other tests ran in parallel, since those may have interfered. */
static void replay_alone(struct stress *s)
{
	struct stress_test **list = xcalloc(s->tests.n, sizeof(*list));
	unsigned jobs = s->opt.jobs;
	size_t n = 0;

	for (size_t i = 0; i < s->tests.n; i++)
		if (s->tests.test[i].n_bugs && !s->tests.test[i].listed.serial) {
			s->tests.test[i].replayed = 0;
			list[n++] = &s->tests.test[i];
		}
	if (jobs > 1 && s->tests.n > 1) {
		s->opt.jobs = 1;
		pool_run(s, list, n, &steps_alone);
		s->opt.jobs = jobs;
	}
	free(list);
}

/* Searches in rounds, until all tests are settled or the time is over. */
static void search(struct stress *s)
{
	struct stress_test **list = xcalloc(s->tests.n, sizeof(*list));
	size_t n;

	do {
		n = 0;
		for (size_t i = 0; i < s->tests.n; i++)
			if (!s->tests.test[i].settled) {
				s->tests.test[i].turn = s->round + 1;
				list[n++] = &s->tests.test[i];
			}
		if (s->round)
			plan_sort(list, n);
		pool_run(s, list, n, &steps_search);
		s->round++;
	} while (n && !interrupt_count() && plan_left_ns(s) > NS_PER_S / 10);
	free(list);
}

/* Returns the exit status for the most severe result; a bug comes first. */
static int exit_code(const struct stress *s)
{
	unsigned n[STRESS_STATUSES] = {0}, diverged = 0;

	for (size_t i = 0; i < s->tests.n; i++) {
		n[s->tests.test[i].status]++;
		diverged += s->tests.test[i].diverged;
	}
	if (n[STRESS_BUG])
		return SIMUL_EXIT_BUG;
	if (n[STRESS_FAULT])
		return SIMUL_EXIT_INTERNAL;
	if (diverged)
		return SIMUL_EXIT_DIVERGED;
	if (n[STRESS_NATIVE] || n[STRESS_UNUSABLE])
		return SIMUL_EXIT_USAGE;
	if (s->opt.require_complete && n[STRESS_INCOMPLETE] + n[STRESS_WAITING])
		return SIMUL_EXIT_INCOMPLETE;
	return SIMUL_EXIT_OK;
}

static int report(struct stress *s)
{
	const char *github = getenv("GITHUB_ACTIONS");
	const char *const files[] = {s->opt.junit, s->opt.sarif, s->opt.json};
	FILE *human = stdout;
	int code = exit_code(s);

	for (int i = 0; i < 3; i++)
		if (files[i] && !strcmp(files[i], "-"))
			human = stderr;
	for (size_t i = 0; i < s->tests.n; i++)
		native_note(s, &s->tests.test[i]);
	progress_end(NULL);
	show_table(s, human);
	if (github && !strcmp(github, "true"))
		show_annotations(s, human);
	if (!files_write(s, code) && code == SIMUL_EXIT_OK)
		code = SIMUL_EXIT_USAGE;
	show_summary(s, human);
	return code;
}

static void print_list(const struct stress *s)
{
	for (size_t i = 0; i < s->tests.n; i++) {
		char *name = printable(s->tests.test[i].name, PRINTABLE_LINE);

		printf("%s\n", name);
		free(name);
	}
}

/* Runs all tests here. */
static void run_here(struct stress *s)
{
	fixtures_begin(s);
	replay_known(s);
	search(s);
	replay_alone(s);
	fixtures_end(s);
	for (size_t i = 0; i < s->tests.n; i++)
		if (s->tests.test[i].slices || s->tests.test[i].restarts)
			state_record(s, &s->tests.test[i]);
}

/* Runs tests in turns with other machines. false: it could not join them, or their results are missing; one message was
   printed. */
static bool run_shared(struct stress *s)
{
	s->night_joined = night_join(s);
	if (!s->night_joined)
		return false;
	fixtures_begin(s);
	pool_run_shared(s, &steps_shared);
	fixtures_end(s);
	return night_collect(s);
}

static int run(struct stress *s, char **operands)
{
	int code;

	if (!list_tests(s, operands))
		return interrupt_count() ? SIMUL_EXIT_OK : SIMUL_EXIT_USAGE;
	if (s->opt.list) {
		print_list(s);
		return SIMUL_EXIT_OK;
	}
	if (!files_check(s) || !state_take(s) || !state_place(s) || !steps_check_options(s))
		return SIMUL_EXIT_USAGE;
	for (size_t i = 0; i < s->tests.n; i++)
		steps_prepare(s, &s->tests.test[i]);
	if (!s->opt.search) {
		run_here(s);
		return report(s);
	}
	if (!run_shared(s)) {
		if (!s->night_joined)
			return SIMUL_EXIT_USAGE;
		code = report(s);
		return code == SIMUL_EXIT_OK ? SIMUL_EXIT_INCOMPLETE : code;
	}
	return report(s);
}

static bool find_self(struct stress *s)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n <= 0) {
		say("stress: /proc/self/exe: %s; simul needs /proc", strerror(errno));
		return false;
	}
	path[n] = 0;
	s->self = xstrdup(path);
	return true;
}

int cmd_stress(int argc, char **argv)
{
	static struct stress s;
	int first, code;

	s.lock = -1;
	if (!read_options(&s.opt, &s.passed, argc, argv, &first, &code))
		return code;
	if (!choose_framework(&s.opt, argc - first) || !find_self(&s) || !limit_allows_session())
		return SIMUL_EXIT_USAGE;
	s.opt.native_given = s.opt.native_ns != 0;
	s.opt.native_ns = s.opt.native_given ? s.opt.native_ns : NATIVE_NS;
	s.opt.jobs = s.opt.jobs ? s.opt.jobs : jobs_default();
	s.capacity = s.opt.jobs;
	s.start_ns = s.shown_ns = wall_clock_ns();
	s.started_at = time(NULL);
	s.end_ns = s.opt.time_ns ? s.start_ns + s.opt.time_ns : 0;
	s.live = isatty(2);
	clean_environment(&s.opt);
	if (s.opt.cargo && !s.opt.quiet)
		say("stress: building the tests with cargo test --no-run");
	if (s.opt.automake && !s.opt.quiet)
		say("stress: building the tests with make check TESTS=");
	children_begin(&s.before);
	code = run(&s, argv + first);
	children_end(&s.before);
	interrupt_obey();
	night_leave(&s);
	state_leave(&s);
	stress_tests_free(&s.tests);
	environment_free(s.passed);
	free(s.self);
	return code;
}
