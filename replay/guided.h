/*
 * The strategy that follows a plan leniently, for minimization. A plan says which thread moves up to which of its own events. It remains
 * meaningful when a switch is removed and everything after it changes. Turns that cannot be followed are skipped. Where the plan says
 * nothing, the thread that moved last continues, and stores reach memory at once.
 */
#ifndef SIMUL_GUIDED_H
#define SIMUL_GUIDED_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/strategy.h"

enum guided_flags {
	/* After the turn the thread does not move by itself while another thread can. An agent keeps its stores until a turn of its
	   own, or until its thread waits for an empty buffer. */
	GUIDED_REST = 1,
};

/* Thread or drain agent `thread` moves until it has made `until` events. With an alternative other than ALT_NORMAL: only its next event, with that alternative. */
struct guided_turn {
	uint16_t thread;
	uint8_t alt;
	uint8_t flags;  /* enum guided_flags */
	uint32_t until; /* counted from the checkpoint; UINT32_MAX: as long as it can move */
};

/* The threads that could have moved at an event. Bit i is thread i, or agent MAX_THREADS + i. Numbers above 63 are left out. */
struct guided_note {
	uint64_t normal, timeout, agents;
};

/* The header of the shared area. The turns follow, then room for notes, one for each event. */
struct guided_area {
	uint32_t turns, notes; /* number of each */
};

static inline uint64_t guided_area_size(uint32_t turns, uint32_t notes)
{
	return sizeof(struct guided_area) + turns * sizeof(struct guided_turn) + notes * sizeof(struct guided_note);
}
static inline struct guided_turn *guided_turns(struct guided_area *a)
{
	return (struct guided_turn *)(a + 1);
}
static inline struct guided_note *guided_notes(struct guided_area *a)
{
	return (struct guided_note *)(guided_turns(a) + a->turns);
}

struct guided {
	struct guided_area *area;
	uint32_t turns, notes; /* copied at the start */
	uint32_t pos;          /* running turn */
	uint32_t events;
	thread_id last;        /* the thread that moved last; for an agent: its owner */
	uint32_t done[MAX_IDS];
	bool rests[MAX_IDS];
	bool begun;
};

/* Sets *out to the strategy that follows the plan in `area` (size bytes) for one execution; *g is its state. Returns false when the area is unusable. */
bool guided_attach(struct guided *g, struct guided_area *area, uint64_t size, struct strategy *out);

#endif
