/*
 * Runs one session: starts the target, restarts it when it dies, hands each new bug to its owner, enforces the budgets, detects hangs, and
 * leaves no process behind.
 */
#ifndef SIMUL_SUPERVISOR_H
#define SIMUL_SUPERVISOR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/target/capture.h"
#include "cli/segment/segment.h"
#include "cli/target/target.h"
#include "cli/supervise/watchdog.h"
#include "cli/supervise/workers.h"

enum session_end {
	SESSION_OVER = 1,   /* the strategy has nothing left to explore, or the forced schedule is finished */
	SESSION_STOPPED,    /* by a budget, by the user, or by on_bug; see enum stop_cause */
	SESSION_NO_THREADS, /* the program ended without creating a thread; exit status in wait_status */
	SESSION_REFUSED,    /* simul cannot control this program; the text says why */
	SESSION_DIED,       /* the program ended before its first thread without reporting */
	SESSION_STUCK,      /* the program dies repeatedly without progress */
	SESSION_SLOW_START, /* no thread was created within the time limit */
	SESSION_INTERNAL,   /* an internal error of simul, described by the text */
	SESSION_AGAIN,      /* the machines' owner wants to load the search again */
};

enum stop_cause {
	STOP_NONE = 0,
	STOP_TIME,
	STOP_EXECUTIONS,
	STOP_BUG,
	STOP_USER,
	STOP_LENGTHY, /* executions are too long for strategy auto (lengthy.h) */
};

/* What a session does next. */
enum machines_says {
	MACHINES_GO_ON,
	MACHINES_STOP,   /* another machine has found a bug, or all is explored */
	MACHINES_BUDGET, /* all machines together have made max_executions */
	MACHINES_AGAIN,  /* end as SESSION_AGAIN: the state here is no longer valid */
	MACHINES_REFUSE, /* end as SESSION_REFUSED: supervision.text gives the reason */
};

/* The owner of a search that several machines share (cli/nightly/machines/). The memory that workers share is a copy then, and there is one worker. */
struct machines_ops {
	enum machines_says (*turn)(void *ctx); /* in each turn of the loop */
	/* The worker waits between two executions, and no process writes to its segment or to the common memory. */
	enum machines_says (*paused)(void *ctx);
	/* The same, and the worker has just joined the common part, which it made. */
	enum machines_says (*publish)(void *ctx);
	/* The worker will restart the search without the others. why: the reason why none can help; NULL: they can later. */
	enum machines_says (*restart)(void *ctx, const char *why);
};

struct supervision {
	/* input: filled by the caller */
	struct segment *seg;
	const struct target *target;
	const struct capture *capture;
	uint64_t time_ns;        /* budget on the wall clock from start_ns; 0 = none */
	uint64_t start_ns;       /* wall_clock_ns() when the search began */
	uint64_t max_executions; /* 0 = no limit */
	uint64_t hang_ns;
	struct workers *workers; /* workers that may share the search; NULL: one worker */
	/* The target waits: with a bug (exploring), at the end of the forced execution, or after describing itself (describe_only). pid is
	   alive; 0: the target was stopped before it could hand over the bug. When exploring, true means that the bug was recorded and
	   on_explained will follow. */
	bool (*on_bug)(void *ctx, pid_t pid);
	/* Exploring: follows each on_bug that returned true, when `at` holds all that is known of that bug (session_bug.needs). NULL in
	   `at`: nothing more will be known. true: continue the search. */
	bool (*on_explained)(void *ctx);
	void (*on_step)(void *ctx, pid_t pid); /* a forced execution waits before config.stop_at, and continues when this returns. NULL: it
	                                          continues at once */
	/* An execution has met a race of processes that is not judged yet, and waits. Returns whether the program
	   itself made both accesses. NULL: it did not */
	bool (*on_race)(void *ctx, const struct segment *seg, pid_t pid);
	void *ctx;                             /* of these four */
	/* Several times a second. Returns STOP_NONE, or why the session should stop: STOP_LENGTHY. May be NULL. */
	enum stop_cause (*on_tick)(void *ctx);
	void *tick_ctx;
	/* All targets are between two executions, past the checkpoint, because pause_at_ns has come (0: as soon as possible). No process
	   writes to their segments. The callbacks set the time of the next pause. false: end the session as SESSION_REFUSED; `text` gives
	   the reason. NULL: no pauses. */
	bool (*on_pause)(void *ctx);
	void (*after_pause)(void *ctx); /* for long work: the targets already continue */
	const struct machines_ops *machines; /* NULL: the search is not shared with other machines */
	uint64_t pause_at_ns;
	uint64_t pause_asked_ns; /* when the current pause was requested */
	void (*on_end)(void *ctx); /* all processes have ended, but workers and changed files are still as the last execution left them. May
	                              be NULL */
	void *keep_ctx; /* of on_pause, after_pause, on_end and machines: their owner keeps the search */
	/* for on_bug: the target that waits, and the index of its execution among the complete ones of all workers' current search. `at` also
	   for on_explained */
	const struct segment *at;
	const struct capture *at_capture;
	uint64_t number;
	/* result */
	enum session_end end;
	enum stop_cause cause;
	int wait_status;          /* SESSION_DIED, SESSION_STUCK, SESSION_NO_THREADS: of waitpid */
	bool killed;              /* the target did not stop by itself, so an execution may be unfinished */
	bool randomised;          /* memory addresses differ from run to run, and */
	char unplaced[SESSION_MESSAGE]; /* why: completes "address randomisation cannot be disabled here, and memory cannot be moved: " */
	uint64_t restarts;
	uint64_t hangs;
	bool output_cut;          /* some execution wrote more than is kept (capture_bound) */
	char text[SESSION_MESSAGE];
};

/* Runs the session to its end. Afterwards all its processes have ended, and files are as before the program started. */
void supervise(struct supervision *s);

#endif
