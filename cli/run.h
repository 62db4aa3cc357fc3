/* `simul run`: what its files share. */
#ifndef SIMUL_RUN_H
#define SIMUL_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/supervise/bounds.h"
#include "cli/target/capture.h"
#include "cli/verdict/coverage.h"
#include "cli/options/options.h"
#include "cli/supervise/progress.h"
#include "cli/collect/race_text.h"
#include "cli/segment/segment.h"
#include "cli/supervise/supervisor.h"
#include "cli/target/target.h"
#include "cli/supervise/workers.h"
#include "recorder/recording.h"

#define NS_PER_S UINT64_C(1000000000)

#define NO_BOUND UINT32_MAX
#define STRATEGY_DEFAULT UINT32_MAX /* until the command line has been read */

/* --exit: where the process may end with status 0 while threads are running (sched/late_exit.h). */
enum exit_place { EXIT_LATE, EXIT_ANY };

/* The command line. */
struct run_options {
	uint32_t strategy, isolation, threads, model;
	uint32_t shuffle, spurious, max_steps;
	uint32_t jobs; /* 0: as many as there are processors */
	uint32_t preemptions; /* NO_BOUND: not given */
	uint32_t depth; /* 0: not given */
	uint32_t exit;  /* enum exit_place */
	uint64_t seed, executions, time_ns, hang_ns, memory;
	uint64_t patience; /* ns; 0: not given */
	const char *certificate; /* certify -o; NULL: run */
	const char *output_dir, *json, *resume_dir, *keep_files;
	struct option_list patch; /* patterns */
	bool no_patch, fail_on_race, no_memory_check, robustness;
	bool keep_going, quiet, require_complete, show_output, no_minimize, no_snapshots;
};

/* One bug; equal bugs are one finding. */
struct finding {
	struct recording *recording; /* of the confirming run; of the first sighting when unconfirmed */
	char *path;                  /* where it was written; NULL: could not be */
	uint64_t signature;
	uint64_t execution;          /* where it was seen first */
	uint64_t count;              /* executions of the search that showed it; 0: only such as do not count (learning) */
	uint64_t samples;            /* auto: samples that showed it */
	uint32_t bound;              /* auto: preemptions + 1: the least bound with which it was seen; 0: with none */
	unsigned tries, same;        /* replays in a fresh process, and how many gave the same failure */
	char other[256];             /* what the first differing replay did */
};

enum run_verdict_kind { VERDICT_COMPLETE, VERDICT_BOUNDED, VERDICT_INCOMPLETE, VERDICT_BUG };

struct run {
	struct run_options opt;
	struct resume *resume;        /* --resume; NULL: not given */
	struct target target;
	struct capture capture;
	struct segment seg;
	struct session_config config;
	struct supervision sup;
	unsigned jobs;                /* that were wanted */
	struct workers workers;
	struct common_memory common;
	struct progress progress;
	struct pace pace;
	struct explore_stats stats;
	struct finding *findings;
	size_t n_findings;
	struct candidate *pending;    /* findings.c: a bug that is recorded, and not reported yet */
	struct candidate *postponed;  /* the same: failures that did not happen again, in executions after which the search started again */
	unsigned unrecorded;          /* failures of which the program left nothing that could be read */
	uint64_t start_ns;
	double seconds;
	FILE *human;                  /* where the report for people goes: stdout, or stderr with --json - */
	enum run_verdict_kind verdict;
	bool unusable;                /* there was nothing to explore: exit 2 */
	bool no_threads;              /* because the program ended well and made no thread */
	bool internal;                /* a fault of simul: exit 70 */
	uint32_t uncontrolled, native_children;
	char *maps;                   /* /proc/PID/maps of the target as it was when executions began; NULL unknown */
	struct coverage coverage;
	struct race_notes races;
	uint64_t minimize_ns;         /* spent on making schedules simpler */
	uint64_t learning_executions; /* that do not count: the search started again after them */
	const char *weakness;         /* part of `reason`: why what was explored proves less; NULL: nothing */
	char reason[1536];            /* why the search is not complete; "" when it is */
};

/* sightings.c: remembers where the target's code lies, as long as there is a process to ask. */
void sightings_look(struct run *run);
/* After the search: what was covered, which races there were. */
void sightings_decide(struct run *run);
void sightings_free(struct run *run);

/* findings.c: the target waits with a new bug. supervision.on_bug; ctx is the struct run. */
bool findings_on_bug(void *ctx, pid_t pid);
/* supervision.on_explained: makes that bug simpler, and reports it. */
bool findings_on_explained(void *ctx);
/* After the search. A failure that was seen while the search learnt what threads share, and has not been met again since: it is reported as not
   confirmed, unless all has been explored. */
void findings_report_postponed(struct run *run);
/* A bug that was found before: its recording is written again if it is gone. Takes over what *f points to. */
void findings_restore(struct run *run, const struct finding *f);
/* What a failing execution printed: its last lines. `text` may be NULL. */
void findings_show_output(FILE *out, const char *text);
/* The number of bugs that were confirmed. */
size_t findings_confirmed(const struct run *run);
void findings_free(struct run *run);
/* A file name to write recording k for this program to, in --output: never one of another bug. malloc()ed. */
char *findings_file_name(const struct run *run, const struct recording *r);

/* verdict.c: reads the counters, decides the verdict and why it is weaker than complete. */
void verdict_decide(struct run *run);
/* The summary lines and the verdict line. */
void verdict_print(const struct run *run);
/* What the bug is, in a few words: "deadlock at pool.c:88 in T0.2". malloc()ed. */
char *verdict_bug_text(const struct recording *r);
int verdict_exit_code(const struct run *run);
/* Was only explored what lies between simul_explore_begin and simul_explore_end? */
bool verdict_only_regions(const struct run *run);

/* json.c: writes --json. false: one message was printed. */
bool json_write(const struct run *run);

#endif
