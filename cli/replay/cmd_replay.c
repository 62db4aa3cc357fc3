/* simul replay: repeats the recorded schedule and checks that the same failure happens. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/exit_codes.h"
#include "cli/base/proc_text.h"
#include "cli/options/cmd.h"
#include "cli/collect/collect.h"
#include "cli/collect/collect_memory.h"
#include "cli/replay/consent.h"
#include "cli/replay/gdb.h"
#include "cli/base/interrupt.h"
#include "cli/bugs/kept_files.h"
#include "cli/base/limits.h"
#include "cli/options/options.h"
#include "cli/replay/recorded.h"
#include "cli/bugs/rerun.h"
#include "cli/base/say.h"
#include "cli/replay/stop_at.h"
#include "base/printable.h"
#include "cli/verdict/verdict.h"
#include "recorder/report/report.h"
#include "recorder/symbols/symbols.h"
#include "base/xalloc.h"
#include "replay/confirm.h"
#include "replay/diverge.h"

struct replay {
	uint32_t times;
	bool verbose, quiet, trust;
	uint32_t env; /* enum recorded_env */
	uint64_t hang_ns;
	uint32_t stop_at;     /* --stop-at: a step, from 1; 0: none */
	bool gdb;
	const char *commands; /* --gdb-commands; NULL: none */
	const char *keep_files; /* --keep-files; NULL: none */
	unsigned kept;          /* number of files copied by the latest replay with the recorded failure */
	bool keeps;             /* there was such a replay */
	struct recorded from;
	bool reported;      /* the first divergence or other failure was reported */
	char *output;       /* of the first replay that printed anything */
	char *found_where;  /* position and objects of a divergence, read while its process was alive */
	char *found_object[2];
};

/* ---- replaying ---- */

/* Prints the position of a program that behaved differently, while it is alive. */
static void describe_found(struct replay *rp, const struct segment *seg, pid_t pid)
{
	const struct session_divergence *d = &seg->session->divergence;
	struct session_thread thread;
	struct symbols *symbols;
	char *maps;

	maps = proc_text_maps(pid);
	symbols = symbols_open(maps);
	free(maps);
	if (!symbols)
		return;
	memory_names_add(symbols, seg);
	segment_thread(seg, d->found.thread, &thread);
	if (thread.frames.stack.n) {
		struct rec_stack stack = symbolize_stack(symbols, thread.frames.stack.pc, thread.frames.stack.n, false);
		char where[512];

		rec_frame_where(rec_stack_user_frame(&stack), where, sizeof(where));
		if (where[0])
			rp->found_where = xstrdup(where);
		rec_stack_free(&stack);
	}
	for (int k = 0; k < 2; k++) {
		const struct rec_memory *pages = &rp->from.recording->memory;
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
			rp->found_object[k] = symbolize_object(symbols, o.kind, o.addr, o.pc, (struct symbols_frame){0});
	}
	symbols_close(symbols);
}

static void at_end(void *ctx, const struct segment *seg, const struct capture *output, pid_t pid,
	const struct confirm_outcome *outcome)
{
	struct replay *rp = ctx;

	if (!rp->output) {
		rp->output = capture_tail(output, 65536);
		printable_replace(&rp->output, PRINTABLE_LINES);
	}
	if (outcome->kind == CONFIRM_SAME && rp->keep_files) {
		rp->kept = kept_files_copy(seg, rp->keep_files, rp->from.path);
		rp->keeps = true;
	}
	if (outcome->kind == CONFIRM_DIVERGED && !rp->reported && pid > 0)
		describe_found(rp, seg, pid);
}

static void tell(struct replay *rp, const struct confirm_outcome *o)
{
	struct report_options look = report_options_for(stdout);
	struct diverge_context context = {
		.recording_path = rp->from.path,
		.found_where = rp->found_where,
		.found_object = {rp->found_object[0], rp->found_object[1]},
	};
	char text[1200];

	if (rp->reported || o->kind == CONFIRM_SAME || o->kind == CONFIRM_INTERRUPTED)
		return;
	rp->reported = true;
	if (o->kind == CONFIRM_DIVERGED) {
		diverge_report(stdout, rp->from.recording, &o->divergence, &context, &look);
		return;
	}
	confirm_describe(o, text, sizeof(text));
	printf("The recorded failure did not happen: %s.\n", text);
}

static void run_once(void *ctx, unsigned attempt, struct confirm_outcome *out)
{
	struct replay *rp = ctx;
	struct rerun rerun = recorded_rerun(&rp->from, rp->hang_ns);

	rerun.stacks = true;
	rerun.at_end = at_end;
	rerun.ctx = rp;
	if (rp->stop_at)
		stop_at_prepare(&rerun, rp->stop_at);
	rerun_once(&rerun, out);
	if (!rp->quiet)
		tell(rp, out);
}

static int verdict(const struct replay *rp, const struct confirm_result *result)
{
	char *bug = verdict_bug_text(rp->from.recording), other[1200];
	int code = SIMUL_EXIT_DIVERGED;

	if (result->same && result->same == rp->times) {
		printf("simul: replayed: %s, the recorded failure, %u of %u time%s\n", bug, result->same, rp->times,
			rp->times == 1 ? "" : "s");
		code = SIMUL_EXIT_BUG;
	} else {
		if (rp->from.recording->version < RECORDING_VERSION)
			printf("simul: note: an older simul wrote the recording (format %u, now %d), and may have "
			       "run the same schedule differently; record it again\n",
				rp->from.recording->version, RECORDING_VERSION);
		confirm_describe(&result->other, other, sizeof(other));
		printf("simul: not replayed: the recorded failure (%s) happened %u of %u time%s; other results: %s\n",
			bug, result->same, result->tries, result->tries == 1 ? "" : "s", other);
	}
	free(bug);
	return code;
}

static void show_message(const char *message)
{
	char *clean = printable(message, PRINTABLE_LINES);

	printf("%s\n", clean);
	free(clean);
}

static void show_failure(const struct replay *rp)
{
	struct report_options look = report_options_for(stdout);

	if (rp->quiet)
		return;
	if (rp->verbose)
		report_show(stdout, rp->from.recording, &look);
	else
		show_message(rp->from.recording->failure.message);
	if (rp->output)
		printf("--- output of the program ---\n%s%s--- end of output ---\n", rp->output,
			rp->output[strlen(rp->output) - 1] == '\n' ? "" : "\n");
}

/* Checks that the step to stop at exists. The failure itself is not a scheduling point; gdb continues to it. */
static bool can_stop(const struct replay *rp)
{
	const struct recording *r = rp->from.recording;

	if (rp->stop_at > r->n_steps) {
		say("replay: --stop-at %u: the recording has %zu steps", rp->stop_at, r->n_steps);
		return false;
	}
	if (!rp->stop_at || rp->gdb || r->steps[rp->stop_at - 1].kind != EV_DEATH)
		return true;
	say("replay: --stop-at %u: that step is the failure itself; the last one before it is %u", rp->stop_at, rp->stop_at - 1);
	return false;
}

static int replay(struct replay *rp)
{
	struct confirm_result *result;
	int code = SIMUL_EXIT_DIVERGED;

	if (!recorded_read(&rp->from, rp->from.path, rp->env))
		return SIMUL_EXIT_USAGE;
	if (!can_stop(rp))
		return SIMUL_EXIT_USAGE;
	if (!consent_to_run(&rp->from, "replay", rp->trust) || !recorded_prepare(&rp->from))
		return SIMUL_EXIT_DIVERGED;
	if (rp->gdb)
		return gdb_replay(&rp->from, rp->stop_at, rp->commands);
	result = xcalloc(1, sizeof(*result));
	confirm(run_once, rp, rp->times, result);
	if (result->same == rp->times)
		show_failure(rp);
	if (rp->keeps)
		kept_files_tell(rp->kept, rp->keep_files, rp->from.path);
	code = verdict(rp, result);
	free(result);
	return code;
}

static void release(struct replay *rp)
{
	recorded_close(&rp->from);
	free(rp->output);
	free(rp->found_where);
	free(rp->found_object[0]);
	free(rp->found_object[1]);
}

/* Checks the file of gdb commands: gdb itself would only warn, and report success. false: one message was printed. */
static bool readable(const char *commands)
{
	struct stat st;

	if (stat(commands, &st) || access(commands, R_OK))
		say("replay: --gdb-commands: %s cannot be read: %s", commands, strerror(errno));
	else if (!S_ISREG(st.st_mode))
		say("replay: --gdb-commands: %s is not a regular file, which gdb needs for commands", commands);
	else
		return true;
	return false;
}

/* Checks that the options can be combined. false: one message was printed. */
static bool sensible(struct replay *rp)
{
	rp->gdb |= rp->commands != NULL;
	if (rp->commands && !readable(rp->commands))
		return false;
	if (rp->gdb && rp->env != RECORDED_ENV) {
		say("replay: --env current cannot be combined with --gdb");
		return false;
	}
	if (rp->gdb && rp->keep_files) {
		say("replay: --keep-files cannot be combined with --gdb");
		return false;
	}
	if (rp->times == 1 || (!rp->gdb && !rp->stop_at))
		return true;
	say("replay: --times cannot be combined with %s", rp->gdb ? "--gdb" : "--stop-at");
	return false;
}

#define OPTIONS_INTO struct replay

static const struct option_spec specs[] = {
	{"times", "N", TO_U32(times, 1, 100000000), "replay N times (default %)", .initial = "1"},
	{"gdb", NULL, TO_FLAG(gdb),
		"replay in gdb (13 or later), and stop at the failure or at\n"
		"--stop-at; in gdb, 'help simul' lists the commands"},
	{"gdb-commands", "FILE", TO_TEXT(commands), "the same, but gdb reads its commands from FILE and asks nothing"},
	{"stop-at", "N", TO_U32(stop_at, 1, UINT32_MAX),
		"stop before step N (as numbered by 'simul show'), show the\n"
		"state of all threads, and wait for Enter; a debugger can be\n"
		"attached meanwhile"},
	{"keep-files", "DIR", TO_TEXT(keep_files), "copy the files that the failing execution changed to DIR"},
	{"verbose", NULL, TO_FLAG(verbose), "show the interleaving and the program's output", .letter = 'v'},
	RECORDED_OPTIONS,
	{.name = NULL},
};

static const struct option_table option_table = {.command = "replay", .mixed = true, .own = specs};

int cmd_replay(int argc, char **argv)
{
	static struct replay rp;
	int first, code;

	options_defaults(&option_table, &rp);
	if (!options_read_recording(&option_table, &rp, argc, argv, &first, &code))
		return code;
	if (!sensible(&rp) || !limit_allows_session())
		return SIMUL_EXIT_USAGE;
	rp.from.path = argv[first];
	code = replay(&rp);
	release(&rp);
	return code;
}
