#include "sched/lock_words.h"

#include <string.h>

#include "base/hash.h"
#include "base/table.h"
#include "sched/await.h"
#include "sched/memory.h"

#define LEAST_TAKINGS 2

static const uint8_t zero[16];

/* ---- the table ---- */

/* Returns the place of the word in the hash table. */
static uint16_t *slot_of(struct lock_words *l, uint64_t lo, uint64_t hi)
{
	return &l->slot[TABLE_SLOT(i, hash_spread(lo << 4 ^ hi) >> 40, 2 * LOCK_WORDS,
		!l->slot[i] || (l->word[l->slot[i] - 1].lo == lo && l->word[l->slot[i] - 1].hi == hi))];
}

static uint32_t size_of(uint64_t lo, uint64_t hi)
{
	return hi - lo < sizeof zero ? (uint32_t)(hi - lo) + 1 : 0;
}

static void begin(struct lock_word *w)
{
	w->holder = w->writer = NO_THREAD;
	w->begun = 0;
}

/* Returns the word that the event accesses; NULL: it is none that is watched. A read-modify-write makes it. */
static struct lock_word *word_of(struct lock_words *l, const struct trace *trace, const struct event *e)
{
	uint64_t lo, hi;
	bool accesses = event_kind_accesses(e->kind) || e->kind == EV_UPDATE || e->kind == EV_FUTEX_WAIT;
	if (!accesses || event_buffered(e) || !event_bytes(e, &lo, &hi) || !size_of(lo, hi))
		return NULL;
	uint16_t *slot = slot_of(l, lo, hi);
	if (*slot)
		return &l->word[*slot - 1];
	if (e->kind != EV_RMW || l->n == LOCK_WORDS)
		return NULL;
	struct lock_word *w = &l->word[l->n++];
	*slot = (uint16_t)l->n;
	*w = (struct lock_word){ .lo = lo, .hi = hi, .free = memory_fingerprint(zero, size_of(lo, hi)) };
	w->addr = trace->memory ? memory_address(trace->memory, OBJECT_MEMORY | (object_id)(lo >> 4)) + (lo & 15) : 0;
	begin(w);
	return w;
}

/* Returns the number of the site, which is made if it is new; LOCK_SITES: there is no room. */
static uint32_t site_at(struct lock_words *l, uint64_t pc, bool make)
{
	uint32_t i = 0;
	while (i < l->sites && l->site[i] != pc)
		i++;
	if (i < l->sites || !make)
		return i < l->sites ? i : LOCK_SITES;
	if (l->sites == LOCK_SITES) {
		l->full = 1;
		return LOCK_SITES;
	}
	l->site[l->sites] = pc;
	return l->sites++;
}

static void refute(struct lock_words *l, struct lock_word *w)
{
	w->flags |= LOCK_WORD_REFUTED;
	l->doubtful |= w->sites;
}

/* ---- one event ---- */

static bool is_lock_node(const struct trace *trace, const struct event *e)
{
	uint32_t node = e->flags & EVF_AWAIT ? event_await(e) : 0;
	return node && trace->await && await_is_lock(await_at(trace->await, node));
}

/* Returns the number of the site if the event is a compare-and-swap from 0, else LOCK_SITES. In a spin loop the event does not have the value
   that is expected. Then the site is known from before the loop was, or the event's node has the value. */
static uint32_t site_of(struct lock_words *l, const struct trace *trace, const struct event *e)
{
	uint64_t lo, hi;
	if (e->kind != EV_RMW || !e->pc || !event_bytes(e, &lo, &hi) || !size_of(lo, hi))
		return LOCK_SITES;
	uint32_t free = memory_fingerprint(zero, size_of(lo, hi));
	if (!(e->flags & EVF_AWAIT))
		return event_expected(e) == free ? site_at(l, e->pc, true) : LOCK_SITES;
	const struct await_node *n = event_await(e) && trace->await ? await_at(trace->await, event_await(e)) : NULL;
	return site_at(l, e->pc, n && n->pc == e->pc && n->expected == free);
}

/* The thread found the word taken. site: at a compare-and-swap from 0. */
static void waits(struct lock_words *l, const struct lock_word *w, thread_id t, uint32_t site)
{
	l->waits[t] = (uint16_t)(w - l->word + 1);
	if (site < LOCK_SITES)
		l->tried[t] = (uint8_t)(site + 1);
}

static void takes(struct lock_words *l, struct lock_word *w, const struct event *e, uint32_t site)
{
	uint64_t here = site < LOCK_SITES ? UINT64_C(1) << site : 0;
	w->holder = e->thread;
	w->writer = NO_THREAD;
	w->begun = 1;
	if (l->waits[e->thread] && l->tried[e->thread])
		l->waited |= UINT64_C(1) << (l->tried[e->thread] - 1);
	if (l->waits[e->thread] || e->flags & EVF_AWAIT)
		l->waited |= here;
	l->waits[e->thread] = l->tried[e->thread] = 0;
}

/* Notes where the thread begins to take the word, or goes on with that. */
static void note_way(struct lock_words *l, const struct event *e, uint32_t site)
{
	uint32_t tried = l->tried[e->thread];
	if (!l->waits[e->thread] && !(e->flags & EVF_AWAIT))
		l->entries |= UINT64_C(1) << site;
	else if (tried && tried - 1 != site)
		l->after[tried - 1] |= UINT64_C(1) << site;
}

/* Returns whether a thread found the word taken at one site, and then began to take it at another one: the first one only tried it. The code of a lock goes on at
   sites that only threads reach which wait. */
static bool is_tried(const struct lock_words *l, const struct lock_word *w)
{
	for (uint32_t site = 0; site < l->sites; site++)
		if (w->sites >> site & 1 && l->after[site] & l->entries & w->sites)
			return true;
	return false;
}

static void is_free_again(struct lock_word *w)
{
	if (!w->takings++)
		w->first = w->holder;
	else if (w->first != w->holder)
		w->flags |= LOCK_WORD_SEVERAL;
	w->holder = w->writer = NO_THREAD;
}

/* Finds out from the value that the event found whether the word is taken. Returns false if that contradicts what threads did. */
static bool settle(struct lock_word *w, const struct event *e)
{
	bool is_free = event_found(e) == w->free;
	if (!event_found(e))
		return false;
	if (w->holder == NO_THREAD)
		return is_free || (!w->begun && (e->kind == EV_STORE || e->kind == EV_UPDATE)); /* the program initialises it */
	if (!is_free)
		return true;
	if (w->writer != w->holder)
		return false; /* another thread gave it back */
	is_free_again(w);
	return true;
}

/* What a read-modify-write does to the word. Returns false if no lock is used so. */
static bool update(struct lock_words *l, struct lock_word *w, const struct event *e, uint32_t site)
{
	bool writes = mode_changes_bytes(e->mode[0]);
	if (w->holder == NO_THREAD) {
		if (writes)
			takes(l, w, e, site);
		return true;
	}
	if (w->holder != e->thread)
		waits(l, w, e->thread, site);
	else if (!writes && site < LOCK_SITES)
		return false; /* it tries to take what it has */
	if (writes)
		w->writer = e->thread;
	return true;
}

/* What the event does to the word. Returns false if no lock is used so. */
static bool use(struct lock_words *l, struct lock_word *w, const struct event *e, uint32_t site)
{
	thread_id t = event_owner(e);
	if (e->kind == EV_RMW)
		return update(l, w, e, site);
	if (e->kind == EV_STORE || e->kind == EV_UPDATE) {
		if (w->holder != NO_THREAD)
			w->writer = t;
		return w->holder == NO_THREAD || w->holder == t;
	}
	if (w->holder == t)
		return e->kind == EV_LOAD; /* a futex wait would be for its own release */
	if (w->holder != NO_THREAD)
		waits(l, w, t, LOCK_SITES);
	return true;
}

/* Returns whether the event is one that a thread makes while it waits, whatever word it waits for. */
static bool only_waits(const struct event *e)
{
	return e->kind == EV_YIELD || e->kind == EV_SLEEP || e->kind == EV_GIVE_WAY || e->kind == EV_FUTEX_WOKEN || e->kind == EV_FUTEX_TIMEOUT;
}

static void see(struct lock_words *l, const struct trace *trace, const struct event *e)
{
	struct lock_word *w = word_of(l, trace, e);
	bool agent = is_agent(e->thread);
	uint32_t waited = agent ? 0 : l->waits[e->thread];
	if (waited && w != &l->word[waited - 1] && !only_waits(e)) {
		refute(l, &l->word[waited - 1]);
		l->waits[e->thread] = l->tried[e->thread] = 0;
	}
	uint32_t site = site_of(l, trace, e);
	if (!w) {
		if (site < LOCK_SITES)
			l->doubtful |= UINT64_C(1) << site;
		return;
	}
	if (is_lock_node(trace, e))
		w->flags |= LOCK_WORD_KNOWN;
	if (site < LOCK_SITES) {
		w->sites |= UINT64_C(1) << site;
		note_way(l, e, site);
	}
	if (w->flags & LOCK_WORD_REFUTED)
		l->doubtful |= w->sites;
	if (w->flags & (LOCK_WORD_REFUTED | LOCK_WORD_KNOWN) || (e->kind == EV_LOAD && event_forwarded(e)))
		return;
	if (!settle(w, e) || !use(l, w, e, site)) {
		refute(l, w);
		if (!agent)
			l->waits[e->thread] = l->tried[e->thread] = 0;
	}
}

void lock_words_see(struct lock_words *l, const struct trace *trace)
{
	for (uint32_t i = 0; i < l->n; i++)
		begin(&l->word[i]);
	memset(l->waits, 0, sizeof l->waits);
	memset(l->tried, 0, sizeof l->tried);
	for (uint32_t i = 0; i < trace->n; i++)
		see(l, trace, &trace->event[i]);
	for (uint32_t i = 0; i < l->n; i++)
		if (is_tried(l, &l->word[i]))
			refute(l, &l->word[i]);
	l->executions++;
}

/* ---- stacks ---- */

/* Returns the number of the word that the operation accesses; LOCK_WORDS: it is not watched. */
static uint32_t word_of_op(struct lock_words *l, const struct op *op)
{
	const struct event e = { .kind = op->kind, .obj = { op->obj[0], op->obj[1] }, .span = op->span };
	uint64_t lo, hi;
	uint32_t word = event_bytes(&e, &lo, &hi) ? *slot_of(l, lo, hi) : 0;
	return word ? word - 1 : LOCK_WORDS;
}

bool lock_words_wants_stack(struct lock_words *l, const struct op *op)
{
	uint32_t site = l->sites && l->stacks < LOCK_STACKS ? site_at(l, op->pc, false) : LOCK_SITES;
	return site < LOCK_SITES && l->looks[site] < LOCK_LOOKS && word_of_op(l, op) < LOCK_WORDS;
}

void lock_words_add_stack(struct lock_words *l, const struct op *op, const uint64_t *pc, unsigned n)
{
	struct lock_stack *s = &l->stack[l->stacks];
	l->looks[site_at(l, op->pc, false)]++;
	*s = (struct lock_stack){ .word = word_of_op(l, op) };
	memcpy(s->pc, pc, (n < LOCK_DEPTH ? n : LOCK_DEPTH) * sizeof *pc);
	for (uint32_t i = 0; i < l->stacks; i++)
		if (l->stack[i].word == s->word && !memcmp(l->stack[i].pc, s->pc, sizeof s->pc))
			return;
	l->stacks++;
}

bool lock_words_like_lock(const struct lock_words *l, uint32_t word)
{
	const struct lock_word *w = &l->word[word];
	return w->takings >= LEAST_TAKINGS && w->flags == LOCK_WORD_SEVERAL;
}
