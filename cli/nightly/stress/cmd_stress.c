/* simul stress: options, order of the steps, exit status. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "cli/cmd.h"
#include "cli/target/environment.h"
#include "cli/base/interrupt.h"
#include "cli/supervise/jobs.h"
#include "cli/base/limits.h"
#include "cli/supervise/progress.h"
#include "cli/base/say.h"
#include "cli/nightly/stress/result_files.h"
#include "cli/nightly/stress/fixtures.h"
#include "cli/nightly/stress/list.h"
#include "cli/nightly/stress/night.h"
#include "cli/nightly/stress/plan.h"
#include "cli/nightly/stress/show.h"
#include "cli/nightly/stress/state.h"
#include "cli/nightly/stress/steps.h"
#include "cli/nightly/stress/string_list.h"
#include "cli/supervise/watchdog.h"
#include "base/printable.h"
#include "base/xalloc.h"

#define NATIVE_NS (60 * NS_PER_S)
#define MOST_JOBS 256

/* Options of `simul run` that are passed on as they are; it checks them. */
static const char *const with_value[] = {"strategy", "preemptions", "depth", "seed", "spurious", "patience", "time-model", "exit", "barrier-serial", "own-locks",
	"max-steps", "hang-timeout", "model", "isolation", "threads", "memory"};
static const char *const flags[] = {"robustness", "no-patch", "fail-on-race", "no-memory-check", "no-minimize"};
#define WITH_VALUE (sizeof(with_value) / sizeof(with_value[0]))
#define FLAGS (sizeof(flags) / sizeof(flags[0]))

struct passed {
	const char *value[WITH_VALUE];
	bool flag[FLAGS];
	struct option_list patch, lock, leave_out;
};

static char **passed_words(const struct passed *p)
{
	struct string_list w = {.n = 0};

	for (size_t i = 0; i < WITH_VALUE; i++)
		if (p->value[i])
			strings_take(&w, xasprintf("--%s=%s", with_value[i], p->value[i]));
	for (size_t i = 0; i < FLAGS; i++)
		if (p->flag[i])
			strings_take(&w, xasprintf("--%s", flags[i]));
	for (size_t i = 0; i < p->patch.n; i++)
		strings_take(&w, xasprintf("--patch=%s", p->patch.value[i]));
	for (size_t i = 0; i < p->lock.n; i++)
		strings_take(&w, xasprintf("--lock=%s", p->lock.value[i]));
	for (size_t i = 0; i < p->leave_out.n; i++)
		strings_take(&w, xasprintf("--leave-out=%s", p->leave_out.value[i]));
	return w.word ? w.word : xcalloc(1, sizeof(*w.word));
}

static bool read_options(struct stress_options *o, struct passed *p, int argc, char **argv, int *first, int *code)
{
	const struct option_spec own[] = { /* not passed on */
		{"gtest", 0, OPTION_FLAG, &o->gtest, 0, 0, NULL},
		{"cmocka", 0, OPTION_FLAG, &o->cmocka, 0, 0, NULL},
		{"cargo", 0, OPTION_FLAG, &o->cargo, 0, 0, NULL},
		{"ctest", 0, OPTION_STRING, &o->ctest, 0, 0, NULL},
		{"meson", 0, OPTION_STRING, &o->meson, 0, 0, NULL},
		{"config", 0, OPTION_STRING, &o->config, 0, 0, NULL},
		{"filter", 0, OPTION_LIST, &o->filter, 0, 0, NULL},
		{"label", 0, OPTION_LIST, &o->label, 0, 0, NULL},
		{"list", 0, OPTION_FLAG, &o->list, 0, 0, NULL},
		{"time", 0, OPTION_DURATION, &o->time_ns, NS_PER_S / 1000, 0, NULL},
		{"native-timeout", 0, OPTION_DURATION, &o->native_ns, NS_PER_S / 1000, 0, NULL},
		{"jobs", 0, OPTION_U32, &o->jobs, 1, MOST_JOBS, NULL},
		{"state", 0, OPTION_STRING, &o->state, 0, 0, NULL},
		{"search", 0, OPTION_STRING, &o->search, 0, 0, NULL},
		{"night", 0, OPTION_STRING, &o->night, 0, 0, NULL},
		{"output", 0, OPTION_STRING, &o->output, 0, 0, NULL},
		{"junit", 0, OPTION_STRING, &o->junit, 0, 0, NULL},
		{"sarif", 0, OPTION_STRING, &o->sarif, 0, 0, NULL},
		{"json", 0, OPTION_STRING, &o->json, 0, 0, NULL},
		{"keep-going", 0, OPTION_FLAG, &o->keep_going, 0, 0, NULL},
		{"require-complete", 0, OPTION_FLAG, &o->require_complete, 0, 0, NULL},
		{"quiet", 'q', OPTION_FLAG, &o->quiet, 0, 0, NULL},
	};
	struct option_spec table[sizeof(own) / sizeof(own[0]) + WITH_VALUE + FLAGS + 4]; /* also --leave-out, --lock, --patch and the end */
	size_t n = sizeof(own) / sizeof(own[0]);

	memset(table, 0, sizeof(table));
	memcpy(table, own, sizeof(own));
	for (size_t i = 0; i < WITH_VALUE; i++)
		table[n++] = (struct option_spec){with_value[i], 0, OPTION_STRING, &p->value[i], 0, 0, NULL};
	for (size_t i = 0; i < FLAGS; i++)
		table[n++] = (struct option_spec){flags[i], 0, OPTION_FLAG, &p->flag[i], 0, 0, NULL};
	table[n++] = (struct option_spec){"leave-out", 0, OPTION_LIST, &p->leave_out, 0, 0, NULL};
	table[n++] = (struct option_spec){"lock", 0, OPTION_LIST, &p->lock, 0, 0, NULL};
	table[n] = (struct option_spec){"patch", 0, OPTION_LIST, &p->patch, 0, 0, NULL};
	return options_read("stress", table, false, argc, argv, first, code);
}

static bool choose_framework(struct stress_options *o, int operands)
{
	if (o->gtest + o->cmocka + o->cargo + (o->ctest != NULL) + (o->meson != NULL) > 1) {
		say("stress: --gtest, --cmocka, --cargo, --ctest and --meson exclude each other");
		return false;
	}
	o->framework = o->gtest ? FRAMEWORK_GTEST : o->cmocka ? FRAMEWORK_CMOCKA : o->ctest ? FRAMEWORK_CTEST : o->meson ? FRAMEWORK_MESON :
		o->cargo ? FRAMEWORK_CARGO : FRAMEWORK_NONE;
	if ((o->ctest || o->meson) && operands) {
		say("stress: --%s takes its tests from the build directory; to select some: --filter PATTERN", o->ctest ? "ctest" : "meson");
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
	if (!o->ctest && !o->meson && !o->cargo && !operands) {
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
	static const char *const names[] = {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX", "GTEST_SHARD_STATUS_FILE", "GTEST_OUTPUT", "GTEST_FILTER",
		"GTEST_REPEAT", "GTEST_SHUFFLE", "GTEST_ALSO_RUN_DISABLED_TESTS", "TESTBRIDGE_TEST_ONLY", "TEST_TOTAL_SHARDS",
		"XML_OUTPUT_FILE", "CMOCKA_XML_FILE", "CMOCKA_MESSAGE_OUTPUT"};

	if (o->gtest || o->cmocka)
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
		if (s->tests.test[i].n_bugs && !s->tests.test[i].serial) {
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

/* Runs tests in turns with other machines. false: it could not join them, or their results are missing; one message was printed. */
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
	struct passed passed = {.flag = {false}};
	int first, code;

	s.lock = -1;
	if (!read_options(&s.opt, &passed, argc, argv, &first, &code))
		return code;
	if (!choose_framework(&s.opt, argc - first) || !find_self(&s) || !limit_allows_session())
		return SIMUL_EXIT_USAGE;
	s.opt.native_given = s.opt.native_ns != 0;
	s.opt.native_ns = s.opt.native_given ? s.opt.native_ns : NATIVE_NS;
	s.opt.jobs = s.opt.jobs ? s.opt.jobs : jobs_default();
	s.passed = passed_words(&passed);
	s.capacity = s.opt.jobs;
	s.start_ns = s.shown_ns = wall_clock_ns();
	s.started_at = time(NULL);
	s.end_ns = s.opt.time_ns ? s.start_ns + s.opt.time_ns : 0;
	s.live = isatty(2);
	clean_environment(&s.opt);
	if (s.opt.cargo && !s.opt.quiet)
		say("stress: building the tests with cargo test --no-run");
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
