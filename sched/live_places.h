/*
 * The places of the execution graph (live.h): ranges of bytes that atomic accesses of the running execution have used.
 * Ranges are as in event_bytes: cells times 16. A place lies in one or two cells.
 */
#ifndef SIMUL_LIVE_PLACES_H
#define SIMUL_LIVE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#define LIVE_PLACES 1024u
#define LIVE_NO_PLACE UINT32_MAX

struct live_range {
	uint64_t lo, hi;
};

struct live_place {
	struct live_range at;
	uint32_t id; /* in the graph; LIVE_NO_PLACE: it begins with what memory holds at the next access */
	uint32_t step; /* the event in the trace, from 1, of its latest store; 0: none */
	uint32_t first; /* that of the store with which it began; 0: none */
	bool mixed; /* accesses of other ranges overlap it */
	uint16_t next[2]; /* index + 1 of the next place with the same hash: of its first cell, and of its last */
};

struct live_places {
	uint32_t n;
	uint16_t head[LIVE_PLACES]; /* by hash of a cell */
	struct live_place place[LIVE_PLACES];
};

/* Returns the place of exactly these bytes; NULL: there is none. */
struct live_place *live_place_find(const struct live_places *ps, struct live_range r);
/* The same, and makes it. It is mixed if it overlaps others, and so are they. Returns NULL when there are too many. */
struct live_place *live_place_make(struct live_places *ps, struct live_range r);
/* Event `step`, from 1, writes these bytes without an event in the graph. Their places begin with this value; with
   `atomic`, places of other ranges become mixed as well. With `small`, the bytes become a place if they overlap
   none. */
void live_places_written(struct live_places *ps, struct live_range r, uint32_t step, bool small, bool atomic);

#endif
