/* The places of the execution graph: see live_places.h. */
#include "sched/live_places.h"

#include <stddef.h>

#include "base/hash.h"

static uint32_t hash_of(uint64_t cell)
{
	return (uint32_t)(hash_spread(cell) >> 40) % LIVE_PLACES;
}

static bool same(struct live_range a, struct live_range b)
{
	return a.lo == b.lo && a.hi == b.hi;
}

static bool overlap(struct live_range a, struct live_range b)
{
	return a.lo <= b.hi && b.lo <= a.hi;
}

/* The link of the place that continues the list of this cell's hash. */
static unsigned link_of(const struct live_place *p, uint32_t hash)
{
	return hash_of(p->at.lo >> 4) == hash ? 0 : 1;
}

static struct live_place *first_in(const struct live_places *ps, uint32_t hash)
{
	uint16_t i = ps->head[hash];
	return i ? (struct live_place *)&ps->place[i - 1] : NULL;
}

static struct live_place *next_in(const struct live_places *ps, const struct live_place *p, uint32_t hash)
{
	uint16_t i = p->next[link_of(p, hash)];
	return i ? (struct live_place *)&ps->place[i - 1] : NULL;
}

struct live_place *live_place_find(const struct live_places *ps, struct live_range r)
{
	uint32_t hash = hash_of(r.lo >> 4);
	for (struct live_place *p = first_in(ps, hash); p; p = next_in(ps, p, hash))
		if (same(p->at, r))
			return p;
	return NULL;
}

static void put_in(struct live_places *ps, struct live_place *p, uint32_t hash)
{
	p->next[link_of(p, hash)] = ps->head[hash];
	ps->head[hash] = (uint16_t)(p - ps->place + 1);
}

/* Marks the places in the cell that overlap p. */
static void mix(struct live_places *ps, struct live_place *p, uint64_t cell)
{
	uint32_t hash = hash_of(cell);
	for (struct live_place *q = first_in(ps, hash); q; q = next_in(ps, q, hash))
		if (q != p && overlap(q->at, p->at))
			p->mixed = q->mixed = true;
}

struct live_place *live_place_make(struct live_places *ps, struct live_range r)
{
	struct live_place *p = live_place_find(ps, r);
	if (p)
		return p;
	if (ps->n == LIVE_PLACES)
		return NULL;
	p = &ps->place[ps->n++];
	*p = (struct live_place){.at = r, .id = LIVE_NO_PLACE};
	mix(ps, p, r.lo >> 4);
	if (r.hi >> 4 != r.lo >> 4)
		mix(ps, p, r.hi >> 4);
	put_in(ps, p, hash_of(r.lo >> 4));
	if (hash_of(r.hi >> 4) != hash_of(r.lo >> 4))
		put_in(ps, p, hash_of(r.hi >> 4));
	return p;
}

static void write_place(struct live_place *p, struct live_range r, uint32_t step, bool atomic)
{
	if (!same(p->at, r)) {
		if (atomic)
			p->mixed = true;
		step = 0;
	}
	p->id = LIVE_NO_PLACE;
	p->step = p->first = step;
}

/* Returns how many places the range overlaps, and writes to them. */
static unsigned write_all(struct live_places *ps, struct live_range r, uint32_t step, bool atomic)
{
	uint64_t cells = (r.hi >> 4) - (r.lo >> 4) + 1;
	unsigned n = 0;
	for (uint32_t i = 0; cells > ps->n && i < ps->n; i++)
		if (overlap(ps->place[i].at, r)) {
			write_place(&ps->place[i], r, step, atomic);
			n++;
		}
	for (uint64_t cell = r.lo >> 4; cells <= ps->n && cell <= r.hi >> 4; cell++) {
		uint32_t hash = hash_of(cell);
		for (struct live_place *p = first_in(ps, hash); p; p = next_in(ps, p, hash))
			if (overlap(p->at, r)) {
				write_place(p, r, step, atomic);
				n++;
			}
	}
	return n;
}

void live_places_written(struct live_places *ps, struct live_range r, uint32_t step, bool small, bool atomic)
{
	if (write_all(ps, r, step, atomic) || !small)
		return;
	struct live_place *p = live_place_make(ps, r);
	if (p)
		p->step = p->first = step;
}
