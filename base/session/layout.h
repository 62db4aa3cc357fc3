/* Where the parts of the segment are, and the memory that workers share. */
#ifndef SIMUL_SESSION_LAYOUT_H
#define SIMUL_SESSION_LAYOUT_H

#include <stdint.h>

/* Where the parts of the segment are, as byte offsets from its start. Written by the supervisor. cli/segment/segment_keep.c lists the parts
   that a search needs to continue in another segment. */
struct session_layout {
	uint64_t size;                       /* bytes of the whole segment */
	uint64_t events_off, events_cap;     /* struct event[cap]: trace of the running execution */
	uint64_t pending_off;                /* struct event[MAX_IDS] */
	uint64_t alts_off;                   /* uint8_t[MAX_IDS] */
	uint64_t names_off;                  /* struct thread_names */
	uint64_t explore_off, explore_size;  /* memory of explore/ */
	uint64_t forced_off, forced_cap;     /* struct forced_step[cap]: schedule to follow; MODE_EXPLORE: by the first execution of a search */
	uint64_t stacks_off, stacks_cap;     /* struct session_frames[cap]: one per event when keep_stacks */
	uint64_t values_off, values_cap;     /* struct session_value[cap]: one per event when keep_stacks */
	uint64_t objects_off, objects_cap;   /* struct session_object[cap]: filled when an execution failed */
	uint64_t threads_off, threads_cap;   /* struct session_thread[cap]: by thread_id, when keep_stacks */
	uint64_t files_off;                  /* struct journal: the program's changes to the file system */
	uint64_t memory_off;                 /* struct memory_table (sched/memory.h): which bytes are visible */
	uint64_t await_off;                  /* struct await_table (sched/await.h): known spin loops */
	uint64_t sections_off;               /* struct section_table; in the common part if there is one */
	uint64_t steps_off;                  /* struct step_table (sched/step.h); only for the running execution */
	uint64_t sensors_off;                /* struct session_sensors: which code is observed, and which is not */
	uint64_t races_off;                  /* struct session_races */
	uint64_t patch_off, patch_size;      /* --patch: file name patterns, each terminated by 0, the last by two; after "lock:" and "leave:" patterns of --lock and --leave-out */
	/* The memory that workers share is mapped after the segment, and the thread names are mapped again at names_off. Unused when
	   common_size is 0. */
	uint64_t common_off, common_size;    /* the shared memory, which begins with struct session_common */
	uint64_t common_names, names_size;   /* the thread names: offset in the shared memory, and size in bytes (whole pages) */
	uint64_t common_search_off, common_search_size; /* memory of explore/shared/common.h, from the start of the segment */
};

/* The start of the memory that the workers of one search share, apart from the search itself. */
struct session_common {
	uint64_t begun;    /* executions of all workers: complete, running and planned ones; by the targets */
	uint64_t complete; /* the executions of `begun` that have ended. `begun` goes down again when a worker has nothing to plan, or its execution was redundant */
	uint32_t doorbell; /* futex: bumped with every worker's doorbell, so that the supervisor can wait for all of them */
	uint32_t pad_;
};

#endif
