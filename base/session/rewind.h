/* How executions start without running the program from its beginning: by rewinding the process, or from snapshots. */
#ifndef SIMUL_SESSION_REWIND_H
#define SIMUL_SESSION_REWIND_H

#include <stdint.h>

#include "base/session/limits.h"

/* For rewinding: whether the kernel reports the pages that an execution wrote to (PAGEMAP_SCAN). */
enum page_scan {
	PAGE_SCAN_UNUSED,  /* not needed: there is little memory to restore, or executions write to most of it */
	PAGE_SCAN_USED,
	PAGE_SCAN_MISSING, /* needed, but this kernel does not have it */
};

/* Whether snapshots save time is tried (preload/life/snapshot_trial.h). */
enum trial_phase {
	TRIAL_WITHOUT, /* executions are measured without snapshots, once they take long */
	TRIAL_WITH,    /* ... with them */
	TRIAL_KEPT,    /* they save time */
	TRIAL_ENDED    /* they do not: there are none any more */
};

/* For tests: what the trial finds. */
enum trial_verdict {
	TRIAL_MEASURED,
	TRIAL_KEEPS,
	TRIAL_ENDS
};

struct session_trial {
	uint32_t phase;   /* enum trial_phase */
	uint32_t n;       /* executions measured in this phase */
	uint32_t rewinds; /* 1: those without snapshots were rewound; in TRIAL_WITH, rewind_off is set for it only */
	uint32_t shared;  /* 1: they ran while several workers shared the search */
	uint64_t without, with; /* processor ticks of the measured executions */
	uint64_t planned; /* when the running execution was planned, in processor ticks; 0: it is not measured */
};

struct session_rewind {
	uint64_t rewound;         /* executions that started by rewinding the process of the previous one */
	uint64_t restored_events; /* events that these did not repeat (preload/life/points.h) */
	uint32_t rewind_off;      /* 1: rewinding is off for the rest of the search */
	uint32_t page_scan;       /* enum page_scan */
	uint64_t resumed;         /* executions that started from a snapshot (preload/life/snapshot.h) */
	uint64_t fork_ticks;      /* processor ticks of the fastest fork of an execution; 0: not known */
	uint64_t snapshot_ticks;  /* processor ticks of the fastest fork of a snapshot; 0: not known */
	uint64_t execution_ticks; /* processor ticks of the last execution, including the part that a snapshot saved */
	uint32_t snapshots_off;   /* 1: a process could not be forked: no more snapshots */
	uint32_t resume_level;    /* the snapshot that starts the planned execution, from 1; 0: it starts at the checkpoint */
	int32_t from_snapshot[SESSION_LEVELS + 1]; /* by level: pid of the latest process forked from that snapshot, which may have ended;
	                                              -1: a fork is under way */
	uint32_t death_turn;      /* the value of session_execution.turn when a process that belongs to a snapshot last died */
	int32_t death_status;     /* the status of that process (waitpid) */
	char rewind_why[SESSION_MESSAGE]; /* why the latest execution that could not be rewound could not; "": all could */
	uint32_t pad_;
	struct session_trial trial;
};

#endif
