/* What each of the searches over traces keeps for itself. */
#ifndef SIMUL_DPOR_STATE_H
#define SIMUL_DPOR_STATE_H

#include "explore/core.h"

/* optimal, source */
struct dpor_state {
	uint32_t chosen;    /* index + 1 of the node of the latest pick */
	aref next_wut;      /* wakeup tree for the state after the latest choice */
	uint32_t next_root; /* index of the node where that tree was planned, or NO_INDEX */
};

/* bpor, see bpor.h */
struct bpor_state {
	struct vec places;        /* struct place by node */
	struct vec choice_states; /* uint8_t by choice */
	struct vec runs;          /* struct event */
	struct vec out;           /* scratch of bpor.c: uint8_t */
	struct vec noted;         /* scratch of bpor_plan.c: uint32_t */
};

/* steps, see steps.c */
struct steps_state {
	struct vec turns;      /* struct turn */
	struct vec processes;  /* uint64_t */
	struct vec slumberers; /* struct slumberer */
	struct vec words;      /* struct step_word */
};

enum spine_state {
	SPINE_NONE = 0,
	SPINE_RESTART, /* the first execution failed, and this one passed: the search starts again with it */
	SPINE_GUIDE,   /* its first execution follows this one */
	SPINE_KNOWN,   /* this one passed, and came first */
	SPINE_LOST,    /* the first execution could not follow the schedule of explore_guide, or failed: the search is over */
};

/* See spine.h. */
struct spine {
	struct vec events;     /* struct event */
	uint32_t state;        /* enum spine_state */
	uint32_t frozen;       /* enum spine_reason, one bit each */
	uint32_t certified;    /* events of the spine */
	uint32_t pos;          /* SPINE_GUIDE: events of the spine that the first execution has performed */
	uint32_t extra;        /* events that it has performed since then and that the spine does not have */
	uint32_t late;         /* 1: an execution failed before the first one of this search */
	uint32_t keeper;       /* several workers: 1: this one holds the leaf of the shared tree below which the spine goes on */
	uint32_t given;        /* 1: the guide comes from explore_guide */
	uint32_t lacks_events; /* 1: later executions have events that the running one does not have */
	uint32_t siblings;     /* number of elements of `sibling` */
	struct event sibling[SPINE_SIBLINGS]; /* see struct explore_spine; object ids have no meaning here */
};

#endif
