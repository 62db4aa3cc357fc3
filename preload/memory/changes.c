/*
 * See changes.h.
 *
 * Sensors reach this in the middle of the program's code: it calls nothing of libc and uses no vector register.
 */
#pragma GCC visibility push(hidden) /* no indirection through the global offset table */
#include "preload/memory/changes.h"

#include "preload/base/state.h"
#include "preload/base/thread.h"
#include "preload/memory/shadow_list.h"
#include "preload/memory/shadow_record.h"
#include "preload/memory/shadow_table.h"
#include "sched/hb.h"
#pragma GCC visibility pop
#include "preload/base/rules.h"

#define MOST 256u

struct change {
	uint64_t lo, hi;
	uint32_t epoch;
	uint32_t what; /* changes_what */
	thread_id thread;
	bool conflicts; /* with another one, and nothing orders the two */
};

static struct change change[MOST];
static unsigned n_changes;
bool changes_any;
uint32_t changes_what;

static void drop(unsigned i)
{
	change[i] = change[--n_changes];
}

/* Returns whether every thread that lives has seen the change. Then it is ordered before all that follows. */
static bool seen_by_all(const struct change *c)
{
	for (const struct fiber *f = fiber_first; f; f = f->next)
		if (f->id != c->thread && !(c->epoch <= hb_seen(ctl_hb, f->id, c->thread)))
			return false;
	return true;
}

static void drop_seen(void)
{
	for (unsigned i = n_changes; i-- > 0;)
		if (seen_by_all(&change[i]))
			drop(i);
}

/* Merges two entries of one thread that are as near to each other as possible. */
static void merge(void)
{
	uint64_t least = UINT64_MAX;
	unsigned a = 0, b = 0;
	for (unsigned i = 0; i < n_changes; i++)
		for (unsigned k = 0; k < i; k++) {
			const struct change *x = &change[i], *y = &change[k];
			uint64_t gap = x->lo > y->hi ? x->lo - y->hi : y->lo > x->hi ? y->lo - x->hi : 0;
			if (x->thread == y->thread && gap < least) {
				least = gap;
				a = i;
				b = k;
			}
		}
	if (a == b) { /* as many threads as entries */
		table_too_small();
		drop(0);
		return;
	}
	struct change *to = &change[b];
	to->lo = to->lo < change[a].lo ? to->lo : change[a].lo;
	to->hi = to->hi > change[a].hi ? to->hi : change[a].hi;
	to->epoch = to->epoch > change[a].epoch ? to->epoch : change[a].epoch;
	to->what = 0;
	to->conflicts |= change[a].conflicts;
	drop(a);
}

/* Makes room for an entry. */
static void make_room(void)
{
	if (n_changes == MOST)
		drop_seen();
	while (n_changes >= MOST - 1) /* one remains for changes_forget, which may divide an entry */
		merge();
}

static bool same(const struct change *a, const struct change *b)
{
	return a->what && a->what == b->what && a->lo == b->lo && a->hi == b->hi;
}

static void compare(struct change *old, struct change *latest)
{
	uint64_t lo = old->lo > latest->lo ? old->lo : latest->lo, hi = old->hi < latest->hi ? old->hi : latest->hi;
	if (lo < hi && !same(old, latest) && old->thread != latest->thread && old->epoch > hb_seen(ctl_hb, latest->thread, old->thread)) {
		old->conflicts = latest->conflicts = true;
		shadow_discover(lo & ~UINT64_C(7), 0xff);
	}
}

void changes_add(uint64_t lo, uint64_t hi, thread_id t, uint32_t epoch)
{
	struct change latest = { lo, hi, epoch, changes_what, t, false };
	for (unsigned i = n_changes; i-- > 0;) {
		compare(&change[i], &latest);
		if (change[i].thread == t && (change[i].what == changes_what || !changes_what) && lo <= change[i].lo && change[i].hi <= hi)
			drop(i); /* the new one represents it */
	}
	make_room();
	change[n_changes++] = latest;
	changes_any = true;
}

void changes_put(uint64_t *r, uint64_t word)
{
	uint32_t head = 0;
	unsigned found = 0, conflicting = 0;
	struct past p;
	for (unsigned i = 0; i < n_changes; i++) {
		const struct change *c = &change[i];
		unsigned bytes = c->lo < word + 8 && word < c->hi ? bytes_in(word, c->lo, c->hi) : 0;
		if (!bytes)
			continue;
		p = (struct past){ .thread = c->thread, .epoch = c->epoch, .bytes = (uint8_t)bytes, .flags = PAST_WRITE };
		if (!history_append(&shadow_history, &head, &p))
			table_too_small();
		found++;
		conflicting += c->conflicts;
	}
	if (!found)
		return;
	if (conflicting > 1) /* one of them may be the accessing thread's own, which hides the other one */
		shadow_discover(word, 0xff);
	if (found > 1 || !fits(p.thread, p.epoch)) {
		*r = LISTED | head;
		return;
	}
	history_forget(&shadow_history, &head, 0xff);
	*r = part(p.bytes, p.epoch, p.thread, true);
}

void changes_forget(uint64_t lo, uint64_t hi)
{
	for (unsigned i = n_changes; i-- > 0;) {
		struct change *c = &change[i], behind = { hi, c->hi, c->epoch, 0, c->thread, c->conflicts };
		if (c->hi <= lo || hi <= c->lo)
			continue;
		if (c->lo < lo && hi < c->hi && n_changes == MOST)
			continue; /* no room: it keeps too much */
		if (c->lo < lo && hi < c->hi)
			change[n_changes++] = behind;
		if (c->lo < lo)
			c->hi = lo;
		else if (hi < c->hi)
			c->lo = hi;
		else
			drop(i);
	}
	changes_any = n_changes;
}
