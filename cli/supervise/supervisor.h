/*
 * Runs one session: starts the target, again when it dies, hands every new bug to its owner, keeps the
 * budgets, watches for hangs, and leaves no process behind.
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
	SESSION_OVER = 1,   /* the strategy has nothing left (or the forced schedule is through) */
	SESSION_STOPPED,    /* by a budget, by the user, or by on_bug; see enum stop_cause */
	SESSION_NO_THREADS, /* the program ended without creating a thread; exit status in wait_status */
	SESSION_REFUSED,    /* simul cannot control this program; the text says why */
	SESSION_DIED,       /* the program ended before its first thread and without telling */
	SESSION_STUCK,      /* it dies again and again without getting anywhere */
	SESSION_SLOW_START, /* no thread was created in all that time */
	SESSION_INTERNAL,   /* a fault of simul; the text says which */
};

enum stop_cause { STOP_NONE = 0, STOP_TIME, STOP_EXECUTIONS, STOP_BUG, STOP_USER };

struct supervision {
	/* what to do: filled by the caller */
	struct segment *seg;
	const struct target *target;
	const struct capture *capture;
	uint64_t time_ns;        /* budget on the wall clock from start_ns; 0 = none */
	uint64_t start_ns;       /* wall_clock_ns() when the search began */
	uint64_t max_executions; /* 0 = no limit */
	uint64_t hang_ns;
	struct workers *workers; /* several of them may share the search; NULL: there is one */
	/* The target waits with a bug (exploring), at the end of the forced execution, or having described itself
	   (describe_only). pid is alive, or 0: the target was stopped before it could hand over the bug. Exploring: true when the bug was taken
	   down, and on_explained is to follow. */
	bool (*on_bug)(void *ctx, pid_t pid);
	/* Exploring, always after an on_bug that returned true: all that is known of that bug is in `at` now (session_bug.needs); NULL: nothing more
	   will be known. true: go on with the search. */
	bool (*on_explained)(void *ctx);
	void (*on_step)(void *ctx, pid_t pid); /* a forced execution waits before config.stop_at; it goes on when this returns. NULL: at once */
	void (*on_tick)(void *ctx); /* several times a second; may be NULL */
	/* All targets stand between two executions, past the checkpoint, because the time pause_at_ns has come (0: as soon as can
	   be). Nothing writes to their segments. The callbacks set the time of the next pause. false: end the session as
	   SESSION_REFUSED; `text` says why. NULL: there are no pauses. */
	bool (*on_pause)(void *ctx);
	void (*after_pause)(void *ctx); /* targets go on already: for what takes long */
	uint64_t pause_at_ns;
	uint64_t pause_asked_ns; /* when the present pause was asked for */
	void (*on_end)(void *ctx); /* no process is left, and nothing is forgotten yet: workers are still there, and files as the last execution left them. May be NULL */
	void *ctx;
	/* in on_bug: which target waits, and which execution this is in the whole search, 0: as its segment says. `at` in on_explained, too */
	const struct segment *at;
	const struct capture *at_capture;
	uint64_t number;
	/* what happened */
	enum session_end end;
	enum stop_cause cause;
	int wait_status;          /* SESSION_DIED, SESSION_STUCK, SESSION_NO_THREADS: of waitpid */
	bool killed;              /* the target did not stop by itself: an execution may have been cut off */
	bool randomised;          /* addresses could not be kept the same from run to run, and */
	char unplaced[SESSION_MESSAGE]; /* why: completes "address randomisation cannot be switched off here, and memory not be moved: " */
	uint64_t restarts;
	uint64_t hangs;
	char text[SESSION_MESSAGE];
};

/* Runs the session to its end, however it ends. Afterwards no process of it is left, and files are as before the program started. */
void supervise(struct supervision *s);

#endif
