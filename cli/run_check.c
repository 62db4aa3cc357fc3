#include "cli/run_check.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lock_owners.h"
#include "base/whole_file.h"
#include "base/xalloc.h"
#include "cli/base/json_out.h"
#include "cli/base/say.h"
#include "cli/nightly/stress/result_files.h"
#include "cli/options/run_options.h"
#include "cli/supervise/lengthy.h"
#include "explore/explore.h"

/* Checks before the search that a recording can be written. */
static bool check_output_dir(const char *dir)
{
	struct stat st;

	if (mkdir(dir, 0777) && errno != EEXIST) {
		say("--output %s: cannot create this directory: %s", dir, strerror(errno));
		return false;
	}
	if (stat(dir, &st) || !S_ISDIR(st.st_mode)) {
		say("--output %s: not a directory", dir);
		return false;
	}
	if (access(dir, W_OK | X_OK)) {
		say("recordings cannot be written to %s: %s; use --output DIR",
			strcmp(dir, ".") ? dir : "the current directory", strerror(errno));
		return false;
	}
	return true;
}

/* Prints why these options cannot be used. Returns false. */
static bool refuse(const struct run_options *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static bool refuse(const struct run_options *o, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	say("%s: %s", o->certificate ? "certify" : "run", text);
	return false;
}

static bool check_bounds(const struct run_options *o)
{
	const char *strategy = explore_strategy_name(o->strategy), *implied = "";

	if (o->strategy != STRATEGY_TRUST && o->strategy != STRATEGY_BPOR)
		return o->preemptions == NO_BOUND ||
		       refuse(o, "--preemptions applies to --strategy trust and bpor only: leave out --strategy %s", strategy);
	if (o->strategy == STRATEGY_TRUST && o->preemptions != NO_BOUND)
		implied = " (implied by --preemptions)";
	if (o->settings.model != MODEL_SC)
		return refuse(o, "--strategy %s%s supports sequential consistency only: leave out --model %s, or use --strategy optimal", strategy,
			implied, memory_model_text(o->settings.model));
	if (o->settings.patience || o->settings.discrete_time || o->settings.barrier_first)
		return refuse(o, "--strategy %s%s does not support %s: leave out one of the two, or use --strategy optimal", strategy, implied,
			o->settings.patience ? "--patience" : o->settings.discrete_time ? "--time-model discrete" : "--barrier-serial first");
	if (o->preemptions == NO_BOUND && o->strategy == STRATEGY_BPOR)
		return refuse(o, "--strategy bpor needs a bound: add --preemptions K, the largest number of preemptions (most bugs need 0 to 2)");
	return true;
}

/* Returns what --sections was given with and does not support; NULL: nothing. */
static const char *without_sections(const struct run_options *o)
{
	const struct {
		bool given;
		const char *name;
	} all[] = {
		{o->certificate, "simul certify"}, {o->preemptions != NO_BOUND, "--preemptions"},
		{o->strategy != STRATEGY_OPTIMAL, "another --strategy than optimal"}, {o->settings.model != MODEL_SC, "another --model than sc"},
		{o->settings.fail_on_race, "--fail-on-race"}, {o->settings.patience, "--patience"},
		{o->settings.discrete_time, "--time-model discrete"}, {!o->settings.late_exit, "--exit any"},
		{o->settings.barrier_first, "--barrier-serial first"}, {o->settings.spurious, "--spurious"},
	};

	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].given)
			return all[i].name;
	return NULL;
}

/* One process keeps the execution that passed. A state of --resume has none if it was made without --passing. */
static bool check_passing(struct run_options *o)
{
	const char *why;

	if (!o->passing)
		return true;
	if (o->jobs > 1 || o->resume_dir)
		return refuse(o, "--passing does not support %s: leave out one of the two", o->jobs > 1 ? "several workers (--jobs)" : "--resume");
	o->jobs = 1;
	why = whole_file_refuses(o->passing);
	return !why || refuse(o, "cannot write --passing %s: %s", o->passing, why);
}

/* Returns what --search was given with and does not support; NULL: nothing. */
static const char *without_machines(const struct run_options *o)
{
	const struct {
		bool given;
		const char *name;
	} all[] = {
		{o->resume_dir, "--resume (the database keeps the search)"},
		{o->passing, "--passing"},
		{o->sections, "--sections"},
		{o->show_output, "--show-output"},
		{o->isolation == ISOLATION_EXEC, "--isolation exec"},
		{o->preemptions != NO_BOUND, "--preemptions"},
		{o->strategy != STRATEGY_OPTIMAL && o->strategy != STRATEGY_AUTO, "another --strategy than auto and optimal"},
	};

	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].given)
			return all[i].name;
	return NULL;
}

/* The target gets these patterns together with those of --patch. Returns false if there are too many. */
static bool take_patterns(struct run_options *o, const char *prefix, const struct option_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		if (o->patch.n == OPTION_LIST_MAX)
			return refuse(o, "--lock, --leave-out and --patch are given more than %d times", OPTION_LIST_MAX);
		o->patch.value[o->patch.n++] = xasprintf("%s%s", prefix, list->value[i]);
	}
	return true;
}

bool run_is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

/* Races are bugs under --model rc11, since what a program with a race does is undefined. */
static bool check_rc11(struct run_options *o)
{
	if (o->settings.model != MODEL_RC11)
		return o->strategy != STRATEGY_GRAPHS || refuse(o, "--strategy graphs needs --model rc11");
	if (o->certificate)
		return refuse(o, "--model rc11 is not supported: certificates are for --model sc, tso and pso");
	if ((!explore_samples(o->strategy) && o->strategy != STRATEGY_GRAPHS) || o->strategy == STRATEGY_WINDOWS)
		return refuse(o,
			"--model rc11 supports the strategies graphs, random, pct, pos and surw only: "
			"leave out --strategy %s",
			explore_strategy_name(o->strategy));
	if (o->no_patch)
		return refuse(o, "--model rc11 needs to see memory accesses: leave out --no-patch");
	if (o->settings.robustness)
		return refuse(o, "--robustness does not support --model rc11: use --model tso or --model pso");
	o->settings.fail_on_race = 1;
	return true;
}

bool run_check_options(struct run_options *o)
{
	if (!check_rc11(o))
		return false;
	if (o->settings.robustness && o->settings.model == MODEL_SC)
		return refuse(o, "--robustness reports executions that are not sequentially consistent, and --model sc allows none: add --model tso "
			"or --model pso");
	if (o->settings.patience && o->settings.discrete_time)
		return refuse(o, "with --time-model discrete every timeout expires only when nothing else can happen: leave out --patience");
	if (o->sections && without_sections(o))
		return refuse(o, "--sections does not support %s yet: leave out one of the two", without_sections(o));
	if (o->strategy == STRATEGY_WINDOWS && lengthy_without(o))
		return refuse(o, "--strategy windows does not support %s: leave out one of the two",
			lengthy_without(o));
	if (o->search && without_machines(o))
		return refuse(o, "--search does not support %s: leave out one of the two", without_machines(o));
	if (!check_bounds(o))
		return false;
	if (o->depth && o->strategy != STRATEGY_PCT)
		return refuse(o, "--depth applies to --strategy pct only, not to --strategy %s", explore_strategy_name(o->strategy));
	if (o->isolation == ISOLATION_REWIND && o->settings.threads == THREADS_KERNEL)
		return refuse(o, "--isolation rewind needs --threads fiber: a kernel thread cannot be rewound");
	if (o->no_patch && (o->lock.n || o->leave_out.n))
		return refuse(o, "%s needs to see the program's code: leave out --no-patch", o->lock.n ? "--lock" : "--leave-out");
	if (o->leave_out.n && o->settings.model != MODEL_SC)
		return refuse(o, "--leave-out needs --model sc: functions that are left out may empty store buffers");
	if (o->no_patch && o->patch.n)
		return refuse(o, "--patch and --no-patch contradict each other");
	if (!check_passing(o))
		return false;
	if (run_is_stdout(o->json) && run_is_stdout(o->sarif))
		return refuse(o, "only one of --json and --sarif can go to standard output");
	return take_patterns(o, LOCK_PATTERN, &o->lock) && take_patterns(o, LEAVE_PATTERN, &o->leave_out) && check_output_dir(o->output_dir) &&
		json_check(o->json) && output_check("sarif", o->sarif);
}
