/* `simul run`: declarations shared by its files. */
#ifndef SIMUL_RUN_H
#define SIMUL_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/supervise/bounds.h"
#include "cli/target/capture.h"
#include "cli/verdict/coverage.h"
#include "cli/verdict/lock_advice.h"
#include "cli/options/options.h"
#include "cli/supervise/progress.h"
#include "cli/collect/race_text.h"
#include "cli/verdict/circle_text.h"
#include "cli/segment/segment.h"
#include "cli/supervise/supervisor.h"
#include "cli/target/target.h"
#include "cli/supervise/workers.h"
#include "recorder/recording.h"

#define NO_BOUND UINT32_MAX
#define STRATEGY_DEFAULT UINT32_MAX /* until the command line has been read */

/* --own-locks: what locks are that are not pthread's. */
enum own_locks { OWN_LOCKS_ASSUME, OWN_LOCKS_EXPLORE };

/* The command line. */
struct run_options {
	struct settings settings; /* `patch` and known_locks follow from other options */
	uint32_t strategy, isolation;
	uint32_t shuffle;
	uint32_t jobs; /* 0: as many as there are processors */
	uint32_t preemptions; /* NO_BOUND: not given */
	uint32_t depth; /* 0: not given */
	uint32_t own_locks; /* enum own_locks */
	struct option_list lock, leave_out; /* patterns of functions */
	uint64_t executions, time_ns, hang_ns, memory;
	const char *certificate; /* certify -o; NULL: run */
	const char *from;        /* certify --from; NULL: not given */
	const char *passing;     /* run --passing; NULL: not given */
	const char *search;      /* run --search: URL of a database; NULL: not given */
	const char *output_dir, *json, *sarif, *resume_dir, *keep_files;
	struct option_list patch; /* patterns */
	bool no_patch, sections;
	bool keep_going, quiet, require_complete, show_output, no_minimize, no_snapshots;
};

/* One bug. Equal bugs are one finding. */
struct finding {
	struct recording *recording; /* from the confirming run; if unconfirmed, from the first sighting */
	char *path;                  /* where it was written; NULL: writing failed */
	uint64_t signature;
	uint64_t execution;          /* execution that first showed it: its index in the search that ran then */
	uint64_t warm_up_before;     /* warm-up executions before that search */
	bool warm_up;                /* that search was warm-up: another one started since, so `execution` is not among run.stats.executions */
	uint64_t count;              /* executions of the search that showed it; 0: only warm-up executions, which do not count */
	uint64_t samples;            /* auto: samples that showed it */
	uint32_t bound;              /* auto: preemptions + 1 of the smallest bound whose search showed it; 0: none did */
	unsigned tries, same;        /* replays in a fresh process, and how many of them gave the same failure */
	char other[256];             /* what the first differing replay did */
};

/* What limits left out of a search; the number is ROUNDS_TRIED. */
#define LIMITED_TEXT "waiting loops tried up to 2 rounds"
#define ENDLESS_TEXT "threads that looped without end tried up to 2 rounds of their loops"

enum run_verdict_kind { VERDICT_COMPLETE, VERDICT_BOUNDED, VERDICT_INCOMPLETE, VERDICT_BUG };

struct run {
	struct run_options opt;
	struct resume *resume;        /* --resume; NULL: not given */
	struct machines *machines;    /* --search; NULL: not given */
	struct target target;
	struct capture capture;
	struct schedule *from;        /* --from: what the first execution follows; NULL: not given */
	struct segment seg;
	struct session_config config;
	struct supervision sup;
	unsigned jobs;                /* requested number */
	struct workers workers;
	struct common_memory common;
	struct progress progress;
	struct pace pace;
	bool advised;                 /* advice_show has printed its line */
	struct explore_stats stats;
	struct finding *findings;
	size_t n_findings;
	struct candidate *pending;    /* findings.c: a bug that is recorded but not yet reported */
	struct candidate *postponed;  /* findings.c: failures that did not happen again, from executions after which the search restarted */
	unsigned unrecorded;          /* failures for which the program left no readable data */
	uint64_t start_ns;
	double seconds;
	FILE *human;                  /* destination of the report: stdout, or stderr with --json - */
	enum run_verdict_kind verdict;
	bool unusable;                /* nothing could be explored: exit 2 */
	bool no_threads;              /* the reason for `unusable`: the program ended normally without creating a thread */
	bool internal;                /* an internal error of simul: exit 70 */
	uint32_t uncontrolled, native_children;
	const char *limited;          /* the search has ended, but limits left out what this says (sched/rounds.h, sched/endless.h); NULL: nothing */
	char *maps;                   /* /proc/PID/maps of the target when executions began; NULL: unknown */
	char kernel_threads_for[SESSION_MESSAGE]; /* a call because of which the program needs kernel threads; "": none */
	struct lock_advice lock_advice;
	struct coverage coverage;
	struct race_notes races;
	struct circle_note circle;
	uint64_t minimize_ns;         /* time spent on simplifying schedules */
	const char *weakness;         /* part of `reason`: why the explored executions prove less; NULL: nothing weakens them */
	char reason[1536];            /* why the search is not complete; "" when it is */
};

/* sightings.c: records the addresses of the target's code while a process exists. */
void sightings_look(struct run *run);
/* Call it after the search: decides what was covered, and which races there were. */
void sightings_decide(struct run *run);
void sightings_free(struct run *run);

/* Returns whether the path of --json or --sarif means standard output. */
bool run_is_stdout(const char *path);
/* Checks the options against each other, and that the files that they name can be written. Call it when the strategy is chosen. Moves the patterns of --lock and
   --leave-out to those of --patch. false: one message was printed. */
bool run_check_options(struct run_options *o);

/* Has replays and recordings made as the search in `seg` is now, if it explores calls as code that were one step before. */
void findings_follow_refusals(struct run *run, const struct segment *seg);

/* findings.c: implements supervision.on_bug: the target waits with a new bug; ctx is the struct run. */
bool findings_on_bug(void *ctx, pid_t pid);
/* Implements supervision.on_explained: simplifies that bug and reports it. */
bool findings_on_explained(void *ctx);
/* Call it after the search: reports as unconfirmed each failure that was seen during warm-up and never again, unless the search explored
   everything. */
void findings_report_postponed(struct run *run);
/* Restores a bug found in an earlier run: rewrites its recording if it is gone. Takes ownership of what *f points to. */
void findings_restore(struct run *run, const struct finding *f);
/* Prints the last lines of a failing execution's output, or the lines from the failed check of a test framework on. */
void findings_show_output(FILE *out, const struct recording *r);
/* Returns the number of confirmed bugs. */
size_t findings_confirmed(const struct run *run);
void findings_free(struct run *run);

/* verdict.c: decides the verdict from the counters, and the reason if it is weaker than complete. */
void verdict_decide(struct run *run);
/* verdict_text.c: prints the summary and the verdict line. */
void verdict_print(struct run *run);
/* Describes the bug in a few words: "deadlock at pool.c:88 in T0.2". malloc()ed. */
char *verdict_bug_text(const struct recording *r);
int verdict_exit_code(const struct run *run);
/* Returns the bounds that the verdict VERDICT_BOUNDED names, as bits; 0 with another verdict. */
enum { BOUNDED_PREEMPTIONS = 1, BOUNDED_ROUNDS = 2 };
unsigned verdict_bounded_by(const struct run *run);
/* Returns what limits have left out of the search so far (LIMITED_TEXT, ENDLESS_TEXT); NULL: nothing. */
const char *verdict_limits(const struct run *run);
/* Returns whether only the code between simul_explore_begin and simul_explore_end was explored. */
bool verdict_only_regions(const struct run *run);

/* json.c: writes --json. false: one message was printed. */
bool json_write(const struct run *run);

#endif
