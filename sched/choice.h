/*
 * A choice that the program leaves to simul: CHOOSE, one of n values (simul_choose).
 *
 * An operation has at most CHOOSE_PARTS alternatives of this sort. So more values are divided into that many parts, as equal as possible.
 * The event says which part was chosen, and another CHOOSE follows until one value is left. The parts depend on n alone: each value is
 * chosen in exactly one way. Part 0 is ALT_NORMAL, the others are ALT_SECOND and those after it.
 *
 * The event touches nothing: it is independent of all events of other threads, and conflicts only with the other alternatives at the same
 * point. So a search explores each value with all its consequences.
 */
#ifndef SIMUL_CHOICE_H
#define SIMUL_CHOICE_H

#include <stdint.h>

#include "sched/event.h"

#define CHOOSE_PARTS 4u
#define CHOOSE_MOST 1000u /* values; a struct chosen fits into an event's `result` */

/* The remaining values: `count` values from `first` on, of `of` in all. */
struct chosen {
	uint32_t of, first, count;
};

static inline unsigned choose_part(unsigned alt)
{
	return alt == ALT_NORMAL ? 0 : alt - ALT_SECOND + 1;
}

/* Returns whether it is an alternative that only CHOOSE has. */
static inline bool choose_is_part(unsigned alt)
{
	return alt >= ALT_SECOND && alt < ALT_SECOND + CHOOSE_PARTS - 1;
}

static inline unsigned choose_alt(unsigned part)
{
	return part == 0 ? ALT_NORMAL : ALT_SECOND + part - 1;
}

/* The number of parts to choose from. */
static inline unsigned choose_parts(struct chosen from)
{
	return from.count < CHOOSE_PARTS ? from.count : CHOOSE_PARTS;
}

/* Part number `part`, below choose_parts(from). */
static inline struct chosen choose_take(struct chosen from, unsigned part)
{
	uint32_t parts = choose_parts(from), at = from.count * part / parts;
	return (struct chosen){from.of, from.first + at, from.count * (part + 1) / parts - at};
}

/* Encodes the values in an event's `result`, and decodes them. */
static inline int32_t choose_result(struct chosen c)
{
	return (int32_t)(c.first | c.count << 10 | c.of << 20);
}

static inline struct chosen choose_chosen(int32_t result)
{
	return (struct chosen){(uint32_t)result >> 20, (uint32_t)result & 1023, (uint32_t)result >> 10 & 1023};
}
_Static_assert(CHOOSE_MOST < 1024, "choose_result");

#endif
