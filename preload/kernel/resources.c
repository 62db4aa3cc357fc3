#include "preload/kernel/resources.h"

#include <fcntl.h>
#include <string.h>

#include "base/hash.h"
#include "base/state_places.h"
#include "preload/accesses/mem.h"
#include "preload/base/sys.h"
#include "preload/base/thread.h"
#include "preload/control/ctl.h"
#include "preload/memory/unforeseen.h"
#include "sched/hb.h"
#include "sched/memory.h"
#include "preload/base/rules.h"

/* ---- the page ---- */

#define PAGE 4096u
#define PAGE_AT ((void *)RESOURCES_AT)

static const struct {
	uint16_t first, n;
} spaces[RESOURCE_SPACES] = {
	[SPACE_SETTINGS] = {128, 64},
	[SPACE_ENTRY] = {192, 1984},
	[SPACE_CONTENTS] = {2176, 768},
	[SPACE_ATTRIBUTES] = {2944, 512},
	[SPACE_POSITION] = {3456, 640},
};
/* What threads have changed that processes inherit: one cell, with a byte for the threads of each number modulo 8. Then the same for what only
   children of fork inherit. */
#define INHERITED 48u
#define THREAD_SETTINGS 64u /* 64 bytes: names of threads, and how they are scheduled */
#define INHERITORS 8u
#define DISPOSITIONS 32u /* 16 bytes: those of signals whose numbers are equal modulo 16 share one */
_Static_assert(RESOURCES_OF_PROCESS <= DISPOSITIONS && INHERITED % MEMORY_CELL == 0 && 2 * INHERITORS == MEMORY_CELL, "they come first");

static uint8_t *page;

static struct memory_table *table(void)
{
	return ctl_segment(ctl_session->layout.memory_off);
}

bool resource_is_visible(unsigned at)
{
	if (!page)
		return false;

	const struct memory_page *p = memory_page_find(table(), (uint64_t)page);

	return p && (p->shared[at / 64] >> at % 64 & 1);
}

unsigned resource_named(enum resource_space space, uint64_t hash)
{
	return spaces[space].first + (uint32_t)(hash_spread(hash) >> 32) % spaces[space].n;
}

static void add_name(unsigned at, const char *name)
{
	struct session_sensors *s = ctl_segment(ctl_session->layout.sensors_off);
	uint64_t addr = (uint64_t)(page + at);

	for (uint32_t i = 0; i < s->objects; i++)
		if (s->object[i].addr == addr)
			return;
	if (s->objects >= SESSION_OBJECTS)
		return;
	s->object[s->objects].addr = addr;
	s->object[s->objects].size = 1;
	strncpy(s->object[s->objects].name, name, sizeof(s->object[0].name) - 1);
	s->objects++;
}

void resources_init(void)
{
	static const char *const names[] = {
#define RESOURCE(id, name) name,
#include "preload/kernel/resources.def"
	};

	page = sys_mmap(PAGE_AT, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page != PAGE_AT)
		ctl_refuse("not enough address space to track files and other things that threads share (check the limit on address space: ulimit -v)");
	for (unsigned i = 0; i < RESOURCES_OF_PROCESS; i++)
		add_name(i, names[i]);
}

/* ---- conflicts ---- */

/* The latest uses of a resource, by thread and kind of use. */
#define PAST_USES 6u
struct uses {
	struct {
		uint32_t epoch;
		thread_id thread;
		uint8_t use; /* RESOURCE_UNUSED: a free place */
	} past[PAST_USES];
	bool mixed; /* two threads have added to it, and nothing orders that */
	bool noticed; /* a descriptor's number: a thread has used it since it was closed */
	uint32_t closed; /* it is not in use: 1 + the thread that closed it; else 0 */
};
static struct uses uses_of[PAGE]; /* private: of the running execution */

static bool before(thread_id t, uint32_t epoch)
{
	return t == fiber_cur->id || hb_seen(ctl_hb, fiber_cur->id, t) >= epoch;
}

/* Records the use. Returns whether it conflicts with an earlier one that nothing orders, or may do so. commute: what two threads add does not
   depend on the order, even if it is read later. */
static bool conflicts(struct uses *u, enum resource_use use, bool commute)
{
	uint32_t epoch = hb_epoch(ctl_hb, fiber_cur->id);
	unsigned place = PAST_USES;
	bool conflict = u->mixed && use != RESOURCE_ADD, ordered = true;

	for (unsigned i = 0; i < PAST_USES; i++) {
		if (!u->past[i].use || (u->past[i].thread == fiber_cur->id && u->past[i].use == use)) {
			place = i;
			continue;
		}
		if (before(u->past[i].thread, u->past[i].epoch))
			continue;
		ordered = false;
		if (u->past[i].use != use || use == RESOURCE_CHANGE)
			conflict = true;
		else if (use == RESOURCE_ADD)
			u->mixed = !commute;
	}
	if (use == RESOURCE_CHANGE && ordered) { /* what this use does not conflict with happens before it: it represents that */
		memset(u->past, 0, sizeof(u->past));
		place = 0;
	}
	if (place == PAST_USES)
		return true;
	u->past[place].thread = fiber_cur->id;
	u->past[place].epoch = epoch;
	u->past[place].use = use;
	return conflict;
}

static void discover(unsigned at)
{
	if (ctl_session->config.mode == MODE_EXPLORE)
		memory_discover(table(), (uint64_t)(page + at), 1);
}

/* ---- a call ---- */

void resources_add(struct resources *r, unsigned at, enum resource_use use, const char *name)
{
	uint32_t i = 0;

	while (i < r->n && r->used[i].at != at)
		i++;
	if (i == RESOURCES_OF_CALL) {
		r->all = true;
		return;
	}
	if (i == r->n)
		r->used[r->n++] = (struct resource_used){.at = (uint16_t)at, .stage = r->stage};
	else if (r->used[i].use != use)
		use = RESOURCE_CHANGE;
	r->used[i].use = use;
	if (name && mem_on && resource_is_visible(at))
		add_name(at, name);
}

/* Threads have bytes of their own, so that each one can set its name and look at how it is scheduled. */
#define THREADS_APART 32u

static unsigned settings_of(enum settings_of of, uint64_t key)
{
	if (of == SETTINGS_OF_name || of == SETTINGS_OF_scheduling)
		return THREAD_SETTINGS + (of == SETTINGS_OF_name ? 0 : THREADS_APART) + (unsigned)key % THREADS_APART;
	return resource_named(SPACE_SETTINGS, hash_mix(of + 1, key));
}

bool resource_settings_visible(enum settings_of of, uint64_t key)
{
	return resource_is_visible(settings_of(of, key));
}

void resources_settings(struct resources *r, enum settings_of of, uint64_t key, enum resource_use use)
{
	static const char *const names[] = {
#define SETTINGS(id, name) name,
#include "preload/kernel/settings.def"
	};

	resources_add(r, settings_of(of, key), use, names[of]);
}

void resources_stage(struct resources *r)
{
	r->stage++;
}

static bool is_inherited(unsigned at)
{
	return at >= INHERITED && at < INHERITED + 2 * INHERITORS;
}

/* Records that the call changes something which decides what later calls of this thread do. The order of tasks, and
   what processes inherit, are no such things. number_unforeseen counts descriptors. */
static void count_changes(const struct resources *r)
{
	for (uint32_t i = 0; i < r->n; i++) {
		unsigned at = r->used[i].at;

		if (r->used[i].use != RESOURCE_READ && at != RESOURCE_descriptors && at != RESOURCE_tasks &&
		    !is_inherited(at))
			value_unforeseen();
	}
}

/* Records the uses of resources that are not visible. */
static void note(const struct resources *r)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (!resource_is_visible(r->used[i].at) && conflicts(&uses_of[r->used[i].at], r->used[i].use, is_inherited(r->used[i].at)))
			discover(r->used[i].at);
}

/* ---- what depends on the state of others ---- */

/* Returns the byte that, when it is visible, says: a call that uses the visible resource `first` may go on to use `next`. */
static uint64_t link_of(unsigned first, unsigned next)
{
	return (uint64_t)page + PAGE + (uint32_t)(hash_spread(hash_mix(first, next)) >> 32) % PAGE;
}

static unsigned space_of(unsigned at)
{
	unsigned space = 0;

	while (space < RESOURCE_SPACES && at - spaces[space].first >= spaces[space].n)
		space++;
	return space;
}

/* Returns how the call uses what is in this space, behind use i. */
static enum resource_use use_behind(const struct resources *r, uint32_t i, unsigned space)
{
	for (uint32_t k = 0; k < r->n; k++)
		if (r->used[k].stage > r->used[i].stage && space_of(r->used[k].at) == space)
			return r->used[k].use;
	return space == SPACE_ENTRY ? RESOURCE_READ : RESOURCE_UNUSED; /* the entry may be a symbolic link at another time */
}

/* Records what was found behind visible resources. The search begins again when this is news. */
static void learn(const struct resources *r)
{
	for (uint32_t i = 0; i < r->n; i++)
		for (uint32_t k = 0; k < r->n; k++) {
			bool behind = r->used[k].stage > r->used[i].stage;
			uint64_t link = link_of(r->used[i].at, r->used[k].at);

			if (behind && resource_is_visible(r->used[i].at) && resource_is_visible(r->used[k].at) && !memory_is_shared(table(), link, 1) &&
				ctl_session->config.mode == MODE_EXPLORE)
				memory_discover(table(), link, 1);
		}
}

/* Adds what was ever found behind the visible resources of r, and behind these in turn: a file that is not there now may be added by the entry
   that once led to it. */
static void add_known(struct resources *r)
{
	const struct memory_page *p = memory_page_find(table(), (uint64_t)page);

	for (uint32_t i = 0; i < r->n; i++) {
		if (!resource_is_visible(r->used[i].at))
			continue;
		for (unsigned at = 0; at < PAGE; at++) {
			if (!p->shared[at / 64]) {
				at |= 63;
				continue;
			}
			if (!(p->shared[at / 64] >> at % 64 & 1))
				continue;
			enum resource_use use = use_behind(r, i, space_of(at));

			if (use && memory_is_shared(table(), link_of(r->used[i].at, at), 1))
				resources_add(r, at, use, NULL);
		}
	}
}

/* ---- the event ---- */

/* Performs an event on the visible resources. Returns whether there are any. */
static bool perform(const struct resources *r)
{
	unsigned lo = PAGE, hi = 0;
	bool writes = r->all;

	for (uint32_t i = 0; i < r->n; i++) {
		unsigned at = r->used[i].at;

		if (!resource_is_visible(at))
			continue;
		lo = at < lo ? at : lo;
		hi = at > hi ? at : hi;
		writes |= r->used[i].use != RESOURCE_READ;
	}
	if (lo > hi)
		return false;
	if (r->all)
		lo = 0, hi = PAGE - 1;
	struct mem_access a = {
		.addr = (uint64_t)(page + lo),
		.size = hi - lo + 1,
		.flags = MEM_READ | MEM_ATOMIC | MEM_ACQUIRE | (writes ? MEM_WRITE | MEM_RELEASE : 0), /* the kernel's locks order the calls */
		.pc = (uint64_t)r->pc,
	};

	mem_perform_inside(&a);
	for (uint32_t i = 0; i < r->n; i++)
		page[r->used[i].at] += r->used[i].use != RESOURCE_READ; /* a new value, since a store that changes nothing may count as a read */
	return true;
}

void resources_perform(const struct resources *r)
{
	if (!mem_on || !page)
		return;
	count_changes(r);
	note(r);
	perform(r);
}

/* Returns whether the event on `done` used all visible resources of `now`. */
static bool used_all(const struct resources *done, const struct resources *now)
{
	for (uint32_t i = 0; i < now->n && !done->all; i++) {
		uint32_t k = 0;

		while (k < done->n && done->used[k].at != now->used[i].at)
			k++;
		if (resource_is_visible(now->used[i].at) && (k == done->n || (done->used[k].use == RESOURCE_READ && now->used[i].use != RESOURCE_READ)))
			return false;
	}
	return done->all || !now->all;
}

void resources_perform_found(void (*find)(struct resources *r, void *arg), void *arg, const void *pc)
{
	struct resources now = {.pc = pc}, done;

	if (!mem_on || !page)
		return;
	find(&now, arg);
	count_changes(&now);
	note(&now);
	do {
		learn(&now);
		add_known(&now);
		if (!perform(&now))
			return;
		done = now;
		now = (struct resources){.pc = pc};
		find(&now, arg);
		note(&now); /* others have run: it may be something else by now */
	} while (!used_all(&done, &now));
}

/* ---- what processes inherit ---- */

/* The event also changes n bytes of one cell, if one of them is visible. */
static bool attach(struct op *op, unsigned at, uint32_t n)
{
	object_id cell[2];
	uint8_t span;

	if (!memory_is_shared(table(), (uint64_t)page + at, n) || !memory_name(table(), (uint64_t)page + at, n, cell, &span))
		return false;
	op->obj[1] = cell[0];
	op->span = span;
	return true;
}

bool resource_attach(struct op *op, unsigned at)
{
	return mem_on && page && attach(op, at, 1);
}

void resources_note(const struct resources *r)
{
	if (mem_on && page)
		note(r);
}

unsigned resource_disposition(int sig)
{
	return DISPOSITIONS + (unsigned)sig % 16;
}

unsigned resource_inherited(bool forks)
{
	return INHERITED + (forks ? INHERITORS : 0) + fiber_cur->id % INHERITORS;
}

void resources_inherited(struct resources *r, bool forks)
{
	resources_add(r, resource_inherited(forks), RESOURCE_ADD, "what processes inherit");
}

bool resources_inherited_visible(bool forks)
{
	return mem_on && resource_is_visible(resource_inherited(forks));
}

void resources_started(struct op *op, bool all)
{
	struct resources r = {.pc = (const void *)op->pc};
	uint32_t n = all ? 2 * INHERITORS : INHERITORS;

	if (!mem_on || !page)
		return;
	for (unsigned i = 0; i < n; i++)
		resources_add(&r, INHERITED + i, RESOURCE_READ, "what processes inherit");
	note(&r);
	if (op->kind != EV_FORK) /* that depends on all events */
		attach(op, INHERITED, n);
}

/* ---- numbers of descriptors ---- */

#define NUMBERS 2048
static struct uses numbers[NUMBERS];

/* Returns whether a close happens before what the running thread does next. Otherwise the closing thread may still be
   about to close. */
static bool closed_before(const struct uses *u)
{
	for (unsigned i = 0; i < PAST_USES; i++)
		if (u->past[i].use == RESOURCE_CHANGE && !before(u->past[i].thread, u->past[i].epoch))
			return false;
	return true;
}

/* A number that is used after it was closed may be that of another thread's file by then. (If it is open although it
   was closed, a call opened it that has no hook.) */
static void number(int fd, enum resource_use use)
{
	struct uses *u = &numbers[fd >= 0 ? fd % NUMBERS : 0];

	if (u->closed && closed_before(u) && !sys_failed(sys_fcntl(fd, F_GETFD, 0)))
		memset(u, 0, sizeof(*u));
	if (fd >= 0 && mem_on && page && !resource_is_visible(RESOURCE_descriptors) && (u->closed || conflicts(u, use, false)))
		discover(RESOURCE_descriptors);
	u->noticed |= u->closed != 0;
}

void number_used(int fd)
{
	number(fd, RESOURCE_READ);
}

void resources_number(struct resources *r, int fd, enum resource_use use)
{
	if (resource_is_visible(RESOURCE_descriptors))
		resources_add(r, RESOURCE_descriptors, use, NULL);
	else
		number(fd, use);
}

void number_closed(int fd)
{
	number(fd, RESOURCE_CHANGE);
	if (fd >= 0)
		numbers[fd % NUMBERS].closed = fiber_cur->id + 1u;
}

bool number_may_be_in_use(int fd)
{
	if (fd < 0 || !mem_on || !page || resource_is_visible(RESOURCE_descriptors))
		return false;
	const struct uses *u = &numbers[fd % NUMBERS];

	return u->closed && u->closed != fiber_cur->id + 1u && !u->noticed && !closed_before(u);
}

int number_not_in_use(int least)
{
	int n = least;

	while (n - least < NUMBERS && number_may_be_in_use(n))
		n++;
	return n;
}

void number_opened(int fd)
{
	if (fd < 0 || !mem_on)
		return;
	number_unforeseen(fd, true);
	memset(&numbers[fd % NUMBERS], 0, sizeof(numbers[0]));
	number(fd, RESOURCE_CHANGE);
}
