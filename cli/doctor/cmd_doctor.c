/*
 * simul doctor: reports what simul sees of a program and what it misses. The program is started as for a search, with its code patched, and
 * is ended before its main. Its session then has the results.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/base_name.h"
#include "base/exit_codes.h"
#include "base/units.h"
#include "cli/base/proc_text.h"
#include "cli/options/cmd.h"
#include "cli/collect/collect.h"
#include "cli/doctor/doctor.h"
#include "cli/base/json_out.h"
#include "cli/base/say.h"
#include "cli/supervise/supervisor.h"
#include "preload/patch/patch.h"
#include "recorder/symbols/symbols.h"
#include "base/xalloc.h"

#define MAX_STEPS 1000 /* main does not run, so no event happens */
#define START_NS UINT64_C(30000000000) /* CPU time for loading and patching */

/* ---- the target's report ---- */

/* Returns whether the file is a patched module. /proc/PID/maps names files; the loader may name links to them. */
static bool is_patched(const struct doctor *d, const char *path)
{
	bool same = false;

	for (uint32_t i = 0; i < doctor_modules(d) && !same; i++) {
		char *real = realpath(d->sensors->module[i].path, NULL);

		same = real && !strcmp(real, path);
		free(real);
	}
	return same;
}

static bool is_program(const struct doctor *d, const char *path)
{
	char *real = realpath(d->target.path, NULL);
	bool same = real && !strcmp(real, path);

	free(real);
	return same;
}

/* Returns whether the file belongs to simul or the dynamic linker, or is a library that calls the sensor itself. */
static bool needs_no_sensor(const struct doctor *d, const char *path)
{
	const char *name = base_name(path);

	return is_program(d, path) || !strcmp(path, d->target.library) || !strncmp(name, "ld-linux", 8) ||
	       !strncmp(name, "libZydis.so", 11) || !strncmp(name, "libZycore.so", 12) || !strncmp(name, "libtsan.so", 10) ||
	       !strncmp(name, "libclang_rt.tsan", 16) || is_patched(d, path);
}

/* Adds a library without a sensor by its name without the version, "libz.so", since the loader may use another version in the name. */
static void add_unseen(struct doctor *d, const char *path)
{
	const char *name = base_name(path), *end = strstr(name, ".so");
	size_t n = end ? (size_t)(end - name) + 3 : strlen(name);

	for (size_t i = 0; i < d->n_unseen; i++)
		if (strlen(d->unseen[i]) == n && !strncmp(d->unseen[i], name, n))
			return;
	if (path[0] != '/' || needs_no_sensor(d, path) || own_libraries_have(&d->own, path))
		return;
	d->unseen = xgrow(d->unseen, d->n_unseen, sizeof(*d->unseen));
	d->unseen[d->n_unseen++] = xasprintf("%.*s", (int)n, name);
}

/* Collects the files whose code is mapped. */
static void read_unseen(struct doctor *d, const char *maps)
{
	char path[4096], access[8];

	own_libraries_find(&d->own, maps, d->target.path, d->target.library);
	for (const char *line = maps; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (sscanf(line, "%*x-%*x %7s %*x %*s %*u %4095[^\n]", access, path) == 2 && strchr(access, 'x'))
			add_unseen(d, path);
	}
}

static void read_holes(struct doctor *d, struct symbols *symbols)
{
	uint32_t n = d->sensors->holes < SESSION_HOLES ? d->sensors->holes : SESSION_HOLES;

	d->hole = xcalloc(n, sizeof(*d->hole));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t m = d->sensors->hole[i].module;
		const struct session_module *module = m < doctor_modules(d) ? &d->sensors->module[m] : NULL;

		d->hole[d->n_holes++] = (struct doctor_hole){
			.name = symbols ? symbolize_function(symbols, d->sensors->hole[i].addr) : NULL,
			.module = module ? doctor_module_name(d, m) : "?",
			.offset = d->sensors->hole[i].addr - (module ? module->base : 0),
			.reason = patch_reason_text(d->sensors->hole[i].reason),
		};
	}
}

/* supervision.on_bug: the target has reported everything and waits to be ended. */
static bool on_described(void *ctx, pid_t pid)
{
	struct doctor *d = ctx;
	char *maps;
	struct symbols *symbols;

	maps = proc_text_maps(pid);
	d->sensors = segment_sensors(&d->seg);
	d->randomised = shared_load(&d->seg.session->ctl.facts.randomised) == 1;
	segment_text(d->seg.session->ctl.requests.unplaced, d->unplaced);
	read_unseen(d, maps);
	symbols = symbols_open(maps);
	read_holes(d, symbols);
	symbols_close(symbols);
	free(maps);
	return false;
}

/* ---- running it ---- */

static void say_why_not(const struct supervision *s, const char *program)
{
	switch (s->end) {
	case SESSION_REFUSED:
	case SESSION_INTERNAL:
		say("%s", s->text);
		break;
	case SESSION_SLOW_START:
		say("%s does not reach main within %u s", program, (unsigned)(START_NS / NS_PER_S));
		break;
	case SESSION_AGAIN:
	case SESSION_STOPPED:
		say("interrupted");
		break;
	case SESSION_OVER:
	case SESSION_NO_THREADS:
	case SESSION_DIED:
	case SESSION_STUCK:
		say("%s ends before it reaches main, with %s %d", program, WIFSIGNALED(s->wait_status) ? "signal" : "status",
			WIFSIGNALED(s->wait_status) ? WTERMSIG(s->wait_status) : WEXITSTATUS(s->wait_status));
		break;
	}
}

/* Starts the program and lets it describe itself. */
static int examine(struct doctor *d)
{
	const struct session_config config = {
		.mode = MODE_FORCED,
		.settings = {.max_steps = MAX_STEPS, .patch = !d->target.sanitized, .start_time = (uint64_t)time(NULL) * NS_PER_S},
		.describe_only = 1,
		.hang_ns = START_NS,
	};
	struct supervision s = {
		.seg = &d->seg,
		.target = &d->target,
		.capture = &d->capture,
		.start_ns = wall_clock_ns(),
		.hang_ns = START_NS,
		.on_bug = on_described,
		.ctx = d,
	};
	char why[SESSION_MESSAGE];

	if (!segment_create(&d->seg, &config, 0, 1, d->opt.patch.value, NULL, why, sizeof(why))) {
		say("%s", why);
		return SIMUL_EXIT_USAGE;
	}
	supervise(&s);
	segment_close(&d->seg);
	if (d->sensors)
		return SIMUL_EXIT_OK;
	say_why_not(&s, d->target.argv[0]);
	return s.end == SESSION_INTERNAL ? SIMUL_EXIT_INTERNAL : SIMUL_EXIT_USAGE;
}

static int diagnose(struct doctor *d)
{
	int code;

	if (d->target.script) {
		say("%s is a script; simul run accepts scripts, but simul doctor needs a program: give the program that the script starts",
			d->target.argv[0]);
		return SIMUL_EXIT_USAGE;
	}
	if (!json_check(d->opt.json) || !capture_open(&d->capture))
		return SIMUL_EXIT_USAGE;
	code = examine(d);
	capture_close(&d->capture);
	if (code)
		return code;
	if (!doctor_facts_read(d->target.path, &d->facts)) {
		say("%s can no longer be read", d->target.path);
		return SIMUL_EXIT_USAGE;
	}
	if (d->opt.run && !doctor_run(d))
		return SIMUL_EXIT_USAGE;
	doctor_report(d);
	return d->opt.json && !doctor_json(d) ? SIMUL_EXIT_USAGE : SIMUL_EXIT_OK;
}

static void doctor_free(struct doctor *d)
{
	for (size_t i = 0; i < d->n_holes; i++)
		free(d->hole[i].name);
	for (size_t i = 0; i < d->n_unseen; i++)
		free(d->unseen[i]);
	free(d->hole);
	free(d->unseen);
	own_libraries_free(&d->own);
	free(d->sensors);
	doctor_facts_free(&d->facts);
	json_decref(d->short_run);
	target_close(&d->target);
}

#define OPTIONS_INTO struct doctor_options

static const struct option_spec specs[] = {
	{"patch", "PATTERN", TO_LIST(patch), "more libraries to patch, as for run (several times)"},
	{"all", NULL, TO_FLAG(all), "list every function that is not covered (default: 10)"},
	{"run", NULL, TO_FLAG(run),
		"also search PROGRAM for at most 10 seconds: are executions\n"
		"rewound, which words behave like locks, what to add for them"},
	{"json", "FILE", TO_TEXT(json), "write the report as JSON; '-' is standard output"},
	{.name = NULL},
};

static const struct option_table option_table = {.command = "doctor", .own = specs};

int cmd_doctor(int argc, char **argv)
{
	static struct doctor d;
	char why[SESSION_MESSAGE];
	int first, code;

	if (!options_read(&option_table, &d.opt, argc, argv, &first, &code))
		return code;
	if (first >= argc) {
		say("doctor: no program given; for example: simul doctor ./queue_test");
		return SIMUL_EXIT_USAGE;
	}
	d.human = d.opt.json && !strcmp(d.opt.json, "-") ? stderr : stdout;
	if (!target_open(&d.target, argv + first, environ, why, sizeof(why))) {
		say("%s", why);
		return SIMUL_EXIT_USAGE;
	}
	code = diagnose(&d);
	doctor_free(&d);
	return code;
}
