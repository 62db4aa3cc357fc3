#include "cli/options/run_options.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "explore/explore.h"

#define MAX_STEPS 10000000
#define MIN_MEMORY (UINT64_C(16) << 20)
#define MAX_MEMORY (UINT64_C(32) << 30) /* arena references have 32 bits and count units of 8 bytes */

#define BUDGET "Budget"
#define SEARCH "Search"
#define MEMORY "Memory"
#define RUNNING "Running"
#define OUTPUT "Output"
#define BOTH (CERTIFY_TOO | STRESS_TOO)

const char *const choices_isolation[] = {"fork", "exec", "rewind", "auto", NULL};
const char *const choices_own_locks[] = {"assume", "explore", NULL};
static const char *strategies[STRATEGY_COUNT + 1]; /* see run_option_specs */
static char strategy_help[2048];

#define OPTIONS_INTO struct run_options

static const struct option_spec run_specs[] = {
	{"time", "DURATION", TO_DURATION(time_ns, NS_PER_S / 1000, 0), "stop after 30s, 5m, 1h", BUDGET, CERTIFY_TOO},
	{"executions", "N", TO_U64(executions, 1, 0), "stop after N complete executions", BUDGET, CERTIFY_TOO},
	{"no-minimize", NULL, TO_FLAG(no_minimize),
		"record the interleaving as found: do not simplify it, and run\n"
		"no experiments to explain it", BUDGET, BOTH},
	{"keep-going", NULL, TO_FLAG(keep_going), "continue after a bug; equal bugs are reported once", BUDGET, CERTIFY_TOO},
	{"require-complete", NULL, TO_FLAG(require_complete), "exit with 3 when the search is not complete", BUDGET, CERTIFY_TOO},
	{"resume", "DIR", TO_TEXT(resume_dir), "save the search in DIR; continue the search saved there, if any", BUDGET, CERTIFY_TOO},
	{"search", "URL", TO_TEXT(search),
		"share the search with all machines that run the same command,\n"
		"through a PostgreSQL database; it keeps the search as well.\n"
		"--executions counts those of all machines and runs", BUDGET},
	{"strategy", "NAME", TO_CHOICE(strategy, strategies), strategy_help, SEARCH, BOTH},
	{"preemptions", "K", TO_U32(preemptions, 0, 1000),
		"search with trust up to K preemptions; this includes some\n"
		"executions with more. With bpor: exactly those within K", SEARCH, BOTH},
	{"depth", "N", TO_U32(depth, 1, EXPLORE_DEPTH_MAX),
		"depth of the bugs that pct looks for: the number of orderings\n"
		"between two events that trigger the bug (1 to 32, default 3)", SEARCH, BOTH},
	{"seed", "N", TO_U64(settings.seed, 0, 0), "seed of the samples (default %); equal seeds, equal schedules", SEARCH, BOTH, .initial = "1"},
	{"spurious", "N", TO_U32(settings.spurious, 0, 1000), "allow up to N spurious wakeups for each condition wait", SEARCH, BOTH},
	{"patience", "DURATION", TO_DURATION(settings.patience, NS_PER_S / 1000, 0),
		"timeouts of at least DURATION (such as watchdogs: 1s) expire\n"
		"only when no thread can proceed in any other way", SEARCH, BOTH},
	{"time-model", "free|discrete", TO_CHOICE(settings.discrete_time, names_discrete_time),
		"when sleeps and timeouts may end: at any point (free, default),\n"
		"or only when nothing else can happen, in the order of their\n"
		"deadlines (discrete)", SEARCH, BOTH},
	{"exit", "late|any", TO_CHOICE(settings.late_exit, names_late_exit),
		"when the process may exit while threads are unfinished: when\n"
		"no thread can proceed (late, default), or at any point (any)", SEARCH, BOTH, .initial = "late"},
	{"barrier-serial", "last|first", TO_CHOICE(settings.barrier_first, names_barrier_first),
		"which thread gets PTHREAD_BARRIER_SERIAL_THREAD: the last to\n"
		"arrive, as in glibc (default), or the one that was created\n"
		"first; then the order of arrivals does not matter", SEARCH, BOTH},
	{"pth-order", "own|any", TO_CHOICE(settings.pth_order, names_pth_order),
		"which ready thread of GNU Pth is next: the one that Pth takes\n"
		"(own, default), or any, a what-if that Pth itself never does", SEARCH},
	{"own-locks", "assume|explore", TO_CHOICE(own_locks, choices_own_locks),
		"known locks that are not pthread's (Rust's std, GLib, ...):\n"
		"assume (default) that they are right, and explore the orders of\n"
		"critical sections only, and that each operation of Rust's\n"
		"channels and park is one step; or explore their code like\n"
		"other code, and each read of loops that give up", SEARCH, BOTH},
	{"lock", "FUNCTION", TO_LIST(lock),
		"the functions with this name (a pattern for the linker's name)\n"
		"take a lock, by a compare-and-swap from 0: assume that it is\n"
		"right, as --own-locks does; may be given several times.\n"
		"Advice names such functions after an unfinished search", SEARCH, BOTH},
	{"leave-out", "FUNCTION", TO_LIST(leave_out),
		"accesses in the functions with this name are neither seen nor\n"
		"scheduling points (--model sc only): for bookkeeping, logging or\n"
		"allocators that the test is not about; several times", SEARCH, BOTH},
	{"sections", NULL, TO_FLAG(sections),
		"two critical sections of a mutex are ordered only if they\n"
		"access common data: fewer executions (--model sc only)", SEARCH, CERTIFY_TOO},
	{"max-steps", "N", TO_U32(settings.max_steps, 1, MAX_STEPS), "cut an execution after N events (default %)", SEARCH, BOTH, .initial = "100000"},
	{"hang-timeout", "TIME", TO_DURATION(hang_ns, NS_PER_S / 10, 86400 * NS_PER_S),
		"CPU time without a step that counts as a hang (default %)", SEARCH, BOTH, .initial = "10s"},
	{"model", "sc|tso|pso|rc11", TO_CHOICE(settings.model, names_model),
		"when stores reach memory. sc (default): at once; tso: later, in\n"
		"program order of their thread, as on x86; pso: later, in any\n"
		"order that fences and synchronisation allow. rc11: loads may\n"
		"read older stores as C11 and C++11 allow; the program must be\n"
		"built with -fsanitize=thread", SEARCH, BOTH},
	{"robustness", NULL, TO_ON(settings.robustness),
		"report each execution that is not sequentially consistent as a\n"
		"bug (with --model tso or pso)", SEARCH, BOTH},
	{"patch", "PATTERN", TO_LIST(patch),
		"also see the memory accesses of libraries whose file name\n"
		"matches; may be given several times. By default, accesses in\n"
		"libc and its companion libraries are not seen, nor, with\n"
		"--model sc, those in libraries that synchronise threads\n"
		"(OpenMP, TBB, GLib, Qt, ...)", MEMORY, BOTH},
	{"no-patch", NULL, TO_FLAG(no_patch), "see only calls to the C library", MEMORY, BOTH},
	{"fail-on-race", NULL, TO_ON(settings.fail_on_race), "report a data race as a bug (default: as a note)", MEMORY, BOTH},
	{"no-memory-check", NULL, TO_OFF(settings.memory_check),
		"do not check for uses of freed memory, accesses beyond heap\n"
		"blocks, double frees and uses of stack frames after return", MEMORY, BOTH},
	{"isolation", "auto|rewind|fork|exec", TO_CHOICE(isolation, choices_isolation),
		"how each execution starts.\n"
		"rewind: one process runs many executions, and its memory is\n"
		"restored between them; fork: each execution is a process\n"
		"forked where the first thread is created; exec: each execution\n"
		"is a newly started process (slow; for programs whose startup\n"
		"must be repeated). auto (default): rewind; fork when\n"
		"executions change more than memory (files, processes,\n"
		"mappings); exec when processes are started before the first\n"
		"thread. The summary reports the choice and the reason", RUNNING, BOTH, .initial = "auto"},
	{"no-snapshots", NULL, TO_FLAG(no_snapshots),
		"with fork: do not start executions from processes forked in\n"
		"the middle of long executions", RUNNING, CERTIFY_TOO},
	{"jobs", "N", TO_U32(jobs, 1, WORKERS_MOST),
		"workers that share a longer search (default: one for each\n"
		"processor, 1 with --search; only one when the program changes\n"
		"files, sockets or processes)", RUNNING, CERTIFY_TOO},
	{"threads", "fiber|kernel", TO_CHOICE(settings.threads, names_threads),
		"run threads as fibers (default) or as kernel threads", RUNNING, BOTH},
	{"memory", "SIZE", TO_SIZE(memory, MIN_MEMORY, MAX_MEMORY),
		"memory limit of the search, for each worker (default %;\n"
		"allocated as needed)", RUNNING, BOTH, .initial = "1G"},
	{"output", "DIR", TO_TEXT(output_dir), "write recordings to DIR (default: the current directory)", OUTPUT, CERTIFY_TOO, .initial = "."},
	{"json", "FILE", TO_TEXT(json), "write the result as JSON; '-' is standard output", OUTPUT, CERTIFY_TOO},
	{"sarif", "FILE", TO_TEXT(sarif),
		"write the bugs as SARIF 2.1.0, for code scanning; '-' is standard\n"
		"output", OUTPUT, CERTIFY_TOO},
	{"passing", "FILE", TO_TEXT(passing),
		"write a recording of the first execution that passed, for\n"
		"'simul certify --from'", OUTPUT},
	{"keep-files", "DIR", TO_TEXT(keep_files), "copy the files that a failing execution changed to DIR", OUTPUT, CERTIFY_TOO},
	{"show-output", NULL, TO_FLAG(show_output), "show the output of the first execution", OUTPUT, CERTIFY_TOO},
	{"quiet", NULL, TO_FLAG(quiet),
		"print only the verdict, and the report of each bug unless it\n"
		"goes to --json or --sarif", OUTPUT, .letter = 'q'},
	{"shuffle", NULL, TO_U32(shuffle, 0, 0), NULL}, /* for tests */
	{.name = NULL},
};

/* What certify has besides. */
static const struct option_spec certify_specs[] = {
	{"certificate", "FILE", TO_TEXT(certificate), "write the certificate to FILE, however the search ends", .letter = 'o'},
	{"from", "RECORDING", TO_TEXT(from),
		"begin with the execution of RECORDING, which must have passed and\n"
		"be of this program ('simul run --passing' writes one)"},
	{"quiet", NULL, TO_FLAG(quiet),
		"print only the verdict, the summary of the certificate, and the\n"
		"report of each bug unless it goes to --json or --sarif", .letter = 'q'},
	{.name = NULL},
};

/* The help of --strategy: the default, the searches that can end, the samples. */
static void strategy_texts(FILE *f)
{
	static const char *const text[] = {
#define STRATEGY(NAME, word, KIND, text) text,
#include "explore/strategies.def"
#undef STRATEGY
	};

	fprintf(f, "%s (default): %s\n", strategies[STRATEGY_AUTO], text[STRATEGY_AUTO]);
	for (unsigned i = 0; i < STRATEGY_COUNT; i++)
		if (i != STRATEGY_AUTO && !explore_samples(i))
			fprintf(f, "%s: %s\n", strategies[i], text[i]);
	fprintf(f, "The others sample programs that are too large to finish. They\n"
		"are never complete, and run until --executions, --time or the\n"
		"first bug:");
	for (unsigned i = 0; i < STRATEGY_COUNT; i++)
		if (explore_samples(i))
			fprintf(f, "\n%s: %s", strategies[i], text[i]);
}

const struct option_spec *run_option_specs(void)
{
	FILE *f;

	if (strategy_help[0])
		return run_specs;
	for (unsigned i = 0; i < STRATEGY_COUNT; i++)
		strategies[i] = explore_strategy_name(i);
	f = fmemopen(strategy_help, sizeof(strategy_help), "w");
	INVARIANT(f, "no memory for the help");
	strategy_texts(f);
	INVARIANT(!fclose(f) && strlen(strategy_help) < sizeof(strategy_help) - 1, "the help of --strategy is longer than its room");
	return run_specs;
}

static const struct option_spec *option_of(const struct setting *of)
{
	for (const struct option_spec *s = run_specs; s->name; s++)
		if (s->at == offsetof(struct run_options, settings) + of->offset && s->type != OPTION_OFF)
			return s;
	return NULL;
}

const char *run_option_of(const struct setting *of)
{
	const struct option_spec *s = option_of(of);
	return s ? s->name : NULL;
}

bool run_option_given(const struct settings *s, const struct setting *of)
{
	const char *initial = option_of(of)->initial;
	const struct settings none = {0};
	char text[64], without[64];

	setting_text(s, of, text, sizeof(text));
	setting_text(&none, of, without, sizeof(without));
	return strcmp(text, initial ? initial : without) != 0;
}

bool run_options_read(struct run_options *o, bool certify, int argc, char **argv, int *first, int *code)
{
	const struct option_spec *run = run_option_specs();
	const struct option_table table = {
		.command = certify ? "certify" : "run",
		.own = certify ? certify_specs : run,
		.run = certify ? run : NULL,
		.too = CERTIFY_TOO,
	};

	memset(o, 0, sizeof(*o));
	o->preemptions = NO_BOUND;
	o->strategy = STRATEGY_DEFAULT;
	options_defaults(&table, o);
	return options_read(&table, o, argc, argv, first, code);
}
