/*
 * The strategy that follows a plan leniently: minimisation. A plan says who moves up to which of its own events, so that it still
 * means something when a switch was taken out and everything behind comes otherwise. What cannot be followed is passed over;
 * where the plan says nothing the thread that moved last goes on, and stores reach memory at once.
 */
#ifndef SIMUL_GUIDED_H
#define SIMUL_GUIDED_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/strategy.h"

enum guided_flags {
	/* It does not move by itself afterwards, as long as another thread can: a thread that is left for good. An agent: it keeps
	   its stores until a turn of its own, or until its thread waits for an empty buffer. */
	GUIDED_REST = 1,
};

/* Thread or drain agent `thread` moves until it has `until` events. With an alternative other than ALT_NORMAL: its next event, in that way. */
struct guided_turn {
	uint16_t thread;
	uint8_t alt;
	uint8_t flags;  /* enum guided_flags */
	uint32_t until; /* counted from the checkpoint; UINT32_MAX: as long as it can */
};

/* Who could have moved when an event was picked; bit i: thread i, or agent MAX_THREADS + i. Those above 63 are left out. */
struct guided_note {
	uint64_t normal, timeout, agents;
};

/* What both sides share: this, then the turns, then room for notes, one for each event. */
struct guided_area {
	uint32_t turns, notes; /* how many */
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
	uint32_t turns, notes; /* as they were at the start */
	uint32_t pos;          /* running turn */
	uint32_t events;
	thread_id last;        /* who moved last; of an agent: its owner */
	uint32_t done[MAX_IDS];
	bool rests[MAX_IDS];
	bool begun;
};

/* Makes *out the strategy that follows the plan in `area` (size bytes) for one execution; *g is its state. false: the area is unusable. */
bool guided_attach(struct guided *g, struct guided_area *area, uint64_t size, struct strategy *out);

#endif
