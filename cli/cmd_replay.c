/* simul replay: the recorded schedule again, and whether the same failure came of it. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "cli/cmd.h"
#include "cli/collect.h"
#include "cli/collect_memory.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/rerun.h"
#include "cli/run.h"
#include "cli/say.h"
#include "recorder/report.h"
#include "recorder/symbols.h"
#include "recorder/xalloc.h"
#include "replay/confirm.h"
#include "replay/diverge.h"

struct replay {
	uint32_t times;
	bool verbose, quiet;
	uint64_t hang_ns;
	const char *path;
	struct recording *recording;
	struct target target;
	struct capture input;
	struct schedule schedule;
	char **spare;
	bool told;          /* about the first divergence or other failure */
	char *output;       /* of the first replay */
	char *found_where;  /* place and objects of a divergence, while its process is alive */
	char *found_object[2];
};

/* ---- preparing ---- */

/* Variables of our own environment that recordings leave out: the terminal, secrets. */
static char **spare_env(void)
{
	size_t k = 0, own = 0;
	char **env;

	while (environ[own])
		own++;
	env = xcalloc(own + 1, sizeof(*env));
	for (size_t i = 0; i < own; i++)
		if (!collect_env_matters(environ[i]))
			env[k++] = environ[i];
	return env;
}

static bool read_recording(struct replay *rp)
{
	enum recording_error err;
	char message[1024];

	rp->recording = recording_read(rp->path, &err, message, sizeof(message));
	if (!rp->recording)
		say("%s", message);
	return rp->recording != NULL;
}

/* The program must be the one that was recorded. */
static bool open_program(struct replay *rp)
{
	const struct recording *r = rp->recording;
	char why[SESSION_MESSAGE];

	if (!target_open_path(&rp->target, r->program, r->argv, r->env, why, sizeof(why))) {
		say("%s cannot be replayed here: %s", rp->path, why);
		return false;
	}
	rp->target.spare = rp->spare = spare_env();
	rp->target.size = (struct environment_size){r->env_entries, r->env_bytes};
	rp->target.stack_limit = r->stack_limit;
	rp->target.cwd = xstrdup(r->cwd);
	if (access(r->cwd, X_OK)) {
		say("%s cannot be replayed here: the directory it was recorded in, %s: %s", rp->path, r->cwd,
			strerror(errno));
		return false;
	}
	if (!rp->target.script && r->build_id[0] && strcmp(r->build_id, rp->target.build_id)) {
		say("%s was recorded with another build of %s (build-id %.12s..., now %.12s...); use that build, or "
		    "record the bug anew with: simul run -- %s",
			rp->path, r->program, r->build_id, rp->target.build_id, r->argv[0]);
		return false;
	}
	return true;
}

static bool prepare(struct replay *rp)
{
	char why[256];

	if (!open_program(rp) || !capture_open_file(&rp->input, rp->recording->stdin_file))
		return false;
	if (schedule_from_recording(&rp->schedule, rp->recording, why, sizeof(why)))
		return true;
	say("%s is damaged: %s", rp->path, why);
	return false;
}

/* ---- replaying ---- */

/* Where the program is that did something else, as long as it is alive. */
static void describe_found(struct replay *rp, const struct segment *seg, pid_t pid)
{
	const struct session_divergence *d = &seg->session->divergence;
	struct session_thread thread;
	struct symbols *symbols;
	char path[64], *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	maps = collect_read_text(path);
	symbols = symbols_open(maps);
	free(maps);
	if (!symbols)
		return;
	segment_thread(seg, d->found.thread, &thread);
	if (thread.stack.n) {
		struct rec_stack stack = symbolize_stack(symbols, thread.stack.pc, thread.stack.n, false);
		char where[512];

		rec_frame_where(rec_stack_user_frame(&stack), where, sizeof(where));
		if (where[0])
			rp->found_where = xstrdup(where);
		rec_stack_free(&stack);
	}
	for (int k = 0; k < 2; k++) {
		const struct rec_memory *pages = &rp->recording->memory;
		struct session_object o;
		uint64_t addr;
		uint32_t size;

		if (object_is_memory(d->found.obj[k])) {
			if (rec_memory_bytes(pages, d->found.obj, d->found.span, &addr, &size))
				rp->found_object[k] = memory_name_of(symbols, addr, size, NULL);
			continue;
		}
		segment_object(seg, d->found.obj[k], &o);
		if (o.kind != OBJ_NONE)
			rp->found_object[k] = symbolize_object(symbols, o.kind, o.addr, o.pc);
	}
	symbols_close(symbols);
}

static void at_end(void *ctx, const struct segment *seg, const struct capture *output, pid_t pid,
	const struct confirm_outcome *outcome)
{
	struct replay *rp = ctx;

	if (!rp->output)
		rp->output = capture_tail(output, 65536);
	if (outcome->kind == CONFIRM_DIVERGED && !rp->told && pid > 0)
		describe_found(rp, seg, pid);
}

static void tell(struct replay *rp, const struct confirm_outcome *o)
{
	struct report_options look = report_options_for(stdout);
	struct diverge_context context = {
		.recording_path = rp->path,
		.found_where = rp->found_where,
		.found_object = {rp->found_object[0], rp->found_object[1]},
	};
	char text[1200];

	if (rp->told || o->kind == CONFIRM_SAME || o->kind == CONFIRM_INTERRUPTED)
		return;
	rp->told = true;
	if (o->kind == CONFIRM_DIVERGED) {
		diverge_report(stdout, rp->recording, &o->divergence, &context, &look);
		return;
	}
	confirm_describe(o, text, sizeof(text));
	printf("The recorded failure did not happen: %s.\n", text);
}

static void run_once(void *ctx, unsigned attempt, struct confirm_outcome *out)
{
	struct replay *rp = ctx;
	const struct recording *r = rp->recording;
	struct rerun rerun = {
		.target = &rp->target,
		.input = &rp->input,
		.config = {
			.isolation = ISOLATION_FORK,
			.threads = r->threads_backend,
			.spurious = r->spurious,
			.max_steps = r->max_steps,
			.seed = r->seed,
			.start_time = r->start_time,
			.hang_ns = rp->hang_ns,
			.patch = r->patch,
			.fail_on_race = r->fail_on_race,
			.model = r->model,
			.robustness = r->robustness,
		},
		.patterns = r->patch_patterns,
		.schedule = &rp->schedule,
		.signature = r->signature,
		.stacks = true,
		.at_end = at_end,
		.ctx = rp,
	};

	rerun_once(&rerun, out);
	if (!rp->quiet)
		tell(rp, out);
}

static int verdict(const struct replay *rp, const struct confirm_result *result)
{
	char *bug = verdict_bug_text(rp->recording), other[1200];
	int code = SIMUL_EXIT_DIVERGED;

	if (result->same && result->same == rp->times) {
		printf("simul: replayed: %s, the recorded failure, %u of %u time%s\n", bug, result->same, rp->times,
			rp->times == 1 ? "" : "s");
		code = SIMUL_EXIT_BUG;
	} else {
		confirm_describe(&result->other, other, sizeof(other));
		printf("simul: not replayed: the recorded failure (%s) happened %u of %u time%s; otherwise: %s\n",
			bug, result->same, result->tries, result->tries == 1 ? "" : "s", other);
	}
	free(bug);
	return code;
}

static void show_failure(const struct replay *rp)
{
	struct report_options look = report_options_for(stdout);

	if (rp->quiet)
		return;
	if (rp->verbose)
		report_show(stdout, rp->recording, &look);
	else
		printf("%s\n", rp->recording->message);
	if (rp->output)
		printf("--- output of the program ---\n%s%s--- end of output ---\n", rp->output,
			rp->output[strlen(rp->output) - 1] == '\n' ? "" : "\n");
}

static int replay(struct replay *rp)
{
	struct confirm_result *result;
	int code = SIMUL_EXIT_DIVERGED;

	if (!read_recording(rp))
		return SIMUL_EXIT_USAGE;
	if (!prepare(rp))
		return SIMUL_EXIT_DIVERGED;
	result = xcalloc(1, sizeof(*result));
	confirm(run_once, rp, rp->times, result);
	if (result->same == rp->times)
		show_failure(rp);
	code = verdict(rp, result);
	free(result);
	return code;
}

static void release(struct replay *rp)
{
	schedule_free(&rp->schedule);
	recording_free(rp->recording);
	target_close(&rp->target);
	capture_close(&rp->input);
	free(rp->spare);
	free(rp->output);
	free(rp->found_where);
	free(rp->found_object[0]);
	free(rp->found_object[1]);
}

int cmd_replay(int argc, char **argv)
{
	static struct replay rp;
	const struct option_spec specs[] = {
		{"times", 0, OPTION_U32, &rp.times, 1, 100000000, NULL},
		{"verbose", 'v', OPTION_FLAG, &rp.verbose, 0, 0, NULL},
		{"quiet", 'q', OPTION_FLAG, &rp.quiet, 0, 0, NULL},
		{"hang-timeout", 0, OPTION_DURATION, &rp.hang_ns, NS_PER_S / 10, 86400 * NS_PER_S, NULL},
		{NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL},
	};
	int first, code;

	rp.times = 1;
	rp.hang_ns = 10 * NS_PER_S;
	rp.input.out_fd = rp.input.err_fd = rp.input.in_fd = -1;
	switch (options_read("replay", specs, true, argc, argv, &first)) {
	case OPTIONS_HELP:
		fputs(help_text("replay"), stdout);
		return SIMUL_EXIT_OK;
	case OPTIONS_BAD:
		return SIMUL_EXIT_USAGE;
	case OPTIONS_OK:
		break;
	}
	if (argc - first != 1) {
		say(first >= argc ? "replay: no recording given; for example: simul replay queue_test-1.simul"
				  : "replay: one recording at a time");
		return SIMUL_EXIT_USAGE;
	}
	rp.path = argv[first];
	code = replay(&rp);
	release(&rp);
	return code;
}
