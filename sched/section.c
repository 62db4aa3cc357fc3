/* Sections as steps: see section.h. */
#include "sched/section.h"

#include "base/hash.h"
#include "base/table.h"
#include "sched/world_internal.h"

#define MOST_UNGUARDED 1u /* accesses in a step */
#define ANY_PLACE UINT64_C(0) /* all sections of a mutex */

/* ---- the table ---- */

static uint64_t place_key(uint64_t mutex, uint64_t pc)
{
	return mix64(mutex ^ mix64(pc + 1)) | 1;
}

static bool known(const struct section_table *s, uint64_t key, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (s->open[i] == key)
			return true;
	return false;
}

bool section_is_open(const struct section_table *s, uint64_t mutex, uint64_t pc)
{
	return s->applied_off || known(s, place_key(mutex, pc), s->applied) || known(s, place_key(mutex, ANY_PLACE), s->applied);
}

bool sections_news(const struct section_table *s)
{
	return __atomic_load_n(&s->changes, __ATOMIC_RELAXED) != s->applied_changes;
}

void sections_apply(struct section_table *s)
{
	while (s->applied < SECTION_PLACES && s->open[s->applied])
		s->applied++;
	s->applied_off = s->off;
	s->applied_changes = s->changes;
}

/* Returns whether a section is known that may be a step. */
static bool any_step(const struct section_table *s)
{
	for (uint32_t i = 0; i < SECTION_BEGUN && i < s->begun_n; i++)
		if (!section_is_open(s, s->begun[i].mutex, s->begun[i].pc))
			return true;
	return s->begun_n >= SECTION_BEGUN && !s->applied_off;
}

bool sections_start(struct section_table *s, bool may_be_plain)
{
	s->plain = may_be_plain && !any_step(s);
	return !s->plain;
}

/* Counts a fact that makes a search with steps begin again. */
static void changed(struct section_table *s)
{
	if (!s->plain)
		__atomic_add_fetch(&s->changes, 1, __ATOMIC_RELAXED);
}

void sections_off(struct section_table *s)
{
	if (!__atomic_exchange_n(&s->off, 1, __ATOMIC_RELAXED))
		changed(s);
}

static void open_place(struct section_table *s, uint64_t mutex, uint64_t pc)
{
	uint64_t key = place_key(mutex, pc);
	for (uint32_t i = 0; i < SECTION_PLACES; i++) {
		uint64_t now = 0;
		if (__atomic_compare_exchange_n(&s->open[i], &now, key, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
			changed(s);
			return;
		}
		if (now == key)
			return;
	}
	sections_off(s);
}

/* Records that a section that is not open begins at this place. */
static void begins_at(struct section_table *s, uint64_t mutex, uint64_t pc)
{
	uint32_t n = __atomic_load_n(&s->begun_n, __ATOMIC_RELAXED);
	for (uint32_t i = 0; i < SECTION_BEGUN && i < n; i++)
		if (s->begun[i].mutex == mutex && s->begun[i].pc == pc)
			return;
	if (n >= SECTION_BEGUN)
		return;
	n = __atomic_fetch_add(&s->begun_n, 1, __ATOMIC_RELAXED);
	if (n < SECTION_BEGUN)
		s->begun[n] = (struct section_place){ mutex, pc };
	if (s->plain)
		__atomic_add_fetch(&s->changes, 1, __ATOMIC_RELAXED);
}

/* Returns whether the slot is free, or that of the word. */
static bool stops_at(const struct guarded_word *g, uint64_t word)
{
	uint64_t has = __atomic_load_n(&g->word, __ATOMIC_RELAXED);
	return has == word || !has;
}

/* Returns the entry of a word, a new one if need be; NULL when the table is full. */
static struct guarded_word *entry(struct section_table *s, uint64_t word)
{
	for (;;) {
		uint32_t at = TABLE_SLOT_WITHIN(i, mix64(word), SECTION_WORDS, SECTION_WORDS / 2,
			stops_at(&s->guard[i], word));
		if (at == TABLE_FULL)
			return NULL;
		struct guarded_word *g = &s->guard[at];
		uint64_t has = 0;
		if (__atomic_load_n(&g->word, __ATOMIC_RELAXED) == word ||
			__atomic_compare_exchange_n(&g->word, &has, word, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return g;
	}
}

/* ---- accesses ---- */

static uint64_t address_of(const struct world *w, object_id o)
{
	return world_obj(w, o)->addr;
}

static bool holds(const struct world *w, const struct wthread *t, uint64_t mutex)
{
	object_id o = mutex ? world_find(w, OBJ_MUTEX, mutex) : 0;
	return o && world_obj(w, o)->mutex.owner == t->id;
}

/* The mutex that the first access to a word suggests. */
static uint64_t candidate(const struct world *w, const struct wthread *t)
{
	object_id o = t->section ? t->section : t->latest_lock;
	uint64_t mutex = o ? address_of(w, o) : 0;
	return holds(w, t, mutex) ? mutex : 0;
}

/* Records an access of t to a word. `held`: address of a mutex that t has given up by the same event, or 0. Returns whether
   the access is guarded by the mutex of t's section. */
static bool guarded(struct world *w, const struct wthread *t, uint64_t word, uint64_t held)
{
	struct section_table *s = w->config.sections;
	struct guarded_word *g = entry(s, word);
	if (!g) {
		sections_off(s);
		return false;
	}
	uint64_t by = __atomic_load_n(&g->mutex, __ATOMIC_RELAXED), first;
	if (!by) {
		first = held ? held : candidate(w, t);
		first = first ? first : SECTION_NO_GUARD;
		if (__atomic_compare_exchange_n(&g->mutex, &by, first, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			by = first;
	}
	if (by != SECTION_NO_GUARD && by != held && !holds(w, t, by) && !(s->without & RULE_GUARD)) {
		__atomic_store_n(&g->mutex, SECTION_NO_GUARD, __ATOMIC_RELAXED);
		by = SECTION_NO_GUARD;
		changed(s);
	}
	return by != SECTION_NO_GUARD && t->section && by == address_of(w, t->section);
}

/* Returns whether all bytes of the access are guarded by the mutex of t's section. */
static bool access_guarded(struct world *w, const struct wthread *t, const struct event *e)
{
	uint64_t lo, hi;
	bool all = true;
	if (!event_bytes(e, &lo, &hi) || w->n_live == 1)
		return true;
	for (uint64_t word = lo / 4; word <= hi / 4; word++)
		all &= guarded(w, t, word + 1, 0);
	return all;
}

/* The same for an operation on a condition, as an access to the word at its address. A thread that waits holds the mutex
   until then. */
static bool condition_guarded(struct world *w, const struct wthread *t, const struct event *e)
{
	uint64_t held = e->kind == EV_COND_WAIT && e->obj[1] ? address_of(w, e->obj[1]) : 0;
	return w->n_live == 1 || guarded(w, t, address_of(w, e->obj[0]) / 4 + 1, held);
}

/* ---- events ---- */

static bool simple_type(uint32_t type)
{
	return (type & 3) == type;
}

/* The mutex that the pending operation of t locks, as a lock or at the end of a wait; 0: none. */
static object_id mutex_to_take(const struct wthread *t)
{
	return t->op.kind == EV_MUTEX_LOCK ? t->op.obj[0] : t->op.kind == EV_COND_WAKE ? t->op.obj[1] : 0;
}

/* The mutex that the event has locked; 0: none. */
static object_id mutex_taken(const struct event *e)
{
	return event_failed(e) ? 0 : e->kind == EV_MUTEX_LOCK ? e->obj[0] : e->kind == EV_COND_WAKE ? e->obj[1] : 0;
}

/* Returns whether the pending operation of t begins a section that may be a step. */
static bool may_begin(const struct world *w, const struct wthread *t)
{
	const struct section_table *s = w->config.sections;
	object_id mutex = mutex_to_take(t);
	return !t->section && !t->atomic && mutex && !(t->op.flags & OPF_TIMED) && simple_type(t->op.type) &&
	       !section_is_open(s, address_of(w, mutex), t->op.pc);
}

bool section_begins(const struct world *w, const struct wthread *t)
{
	return w->config.sections && !w->config.sections->plain && may_begin(w, t);
}

bool section_ends(const struct world *w, const struct wthread *t)
{
	bool gives = (t->op.kind == EV_MUTEX_UNLOCK && t->op.obj[0] == t->section) ||
		     (t->op.kind == EV_COND_WAIT && t->op.obj[1] == t->section);
	return t->section && gives && world_obj(w, t->section)->mutex.depth == 1;
}

struct event section_opened(const struct event *e)
{
	struct event open = *e;
	if (e->kind == EV_MUTEX_LOCK && e->mode[0] == M_SECT)
		open.mode[0] = M_ACQ;
	if (e->kind == EV_MUTEX_UNLOCK && e->mode[0] == M_NONE && e->obj[0]) /* see section_ends */
		open.mode[0] = M_REL;
	if (e->kind == EV_COND_WAIT && e->mode[1] == M_NONE && e->obj[1])
		open.mode[1] = M_REL;
	if (e->mode[1] == M_SECT)
		open.mode[1] = M_ACQ;
	return open;
}

/* Records that all sections of a mutex are open, if *e is an operation that excludes steps of that mutex. */
static void learn_mutex(struct world *w, const struct event *e)
{
	struct section_table *s = w->config.sections;
	if (event_kind_object(e->kind) == OBJ_MUTEX) {
		bool plain = e->kind == EV_MUTEX_LOCK || e->kind == EV_MUTEX_UNLOCK;
		plain |= e->kind == EV_MUTEX_TRYLOCK; /* see section_announced */
		bool setup = e->kind == EV_MUTEX_INIT || e->kind == EV_MUTEX_DESTROY;
		if ((event_failed(e) && e->kind != EV_MUTEX_TRYLOCK) || (!plain && !(setup && w->n_live == 1)))
			open_place(s, address_of(w, e->obj[0]), ANY_PLACE);
	}
	if (e->mode[0] == M_POKE || e->mode[1] == M_POKE || e->alt == ALT_SIGNAL || e->alt == ALT_BEFORE || e->alt == ALT_CANCEL)
		sections_off(s);
}

/* Records that sections like the one of t are open, because t did something that a step must not do. The record applies from the next
   search on; the running execution continues. */
static void open_section(struct world *w, struct wthread *t)
{
	open_place(w->config.sections, address_of(w, t->section), t->section_pc);
}

void section_opaque(struct world *w, thread_id running)
{
	struct wthread *t = w->thread[running];
	if (w->config.sections && t && t->section && w->n_live > 1)
		open_section(w, t);
}

/* Returns whether the pending operation of t may be a part of its step: an access, a signal, a lock or unlock of the step's
   own mutex (the step ends with its last unlock), or a wait that gives the mutex up and so ends the step. */
static bool may_be_inside(const struct world *w, const struct wthread *t)
{
	const struct op *op = &t->op;
	bool again = op->kind == EV_MUTEX_LOCK && op->type == MUTEX_RECURSIVE;
	if (event_kind_accesses(op->kind) || op->kind == EV_COND_SIGNAL || op->kind == EV_COND_BROADCAST)
		return true;
	return (op->obj[0] == t->section && (again || op->kind == EV_MUTEX_UNLOCK)) || (op->kind == EV_COND_WAIT && section_ends(w, t));
}

void section_announced(struct world *w, struct wthread *t)
{
	struct section_table *s = w->config.sections;
	bool polls = t->op.kind == EV_MUTEX_TRYLOCK && !(s->without & RULE_TRYLOCK);
	if (polls || (t->op.kind == EV_MUTEX_LOCK && (t->op.flags & OPF_TIMED)))
		open_place(s, address_of(w, t->op.obj[0]), ANY_PLACE);
	if (may_begin(w, t) && w->n_live > 1)
		begins_at(s, address_of(w, t->op.obj[0]), t->op.pc);
	if (t->section && !may_be_inside(w, t))
		open_section(w, t);
}

void section_performed(struct world *w, struct wthread *t, const struct event *e)
{
	const struct section_table *s = w->config.sections;
	learn_mutex(w, e);
	bool condition = event_kind_object(e->kind) == OBJ_COND && e->obj[0];
	bool counts = condition || event_kind_accesses(e->kind);
	bool free = !counts || (condition ? condition_guarded(w, t, e) : access_guarded(w, t, e));
	free |= condition && (s->without & RULE_CONDITION);
	object_id taken = mutex_taken(e);
	if (taken)
		t->latest_lock = taken;
	if (e->mode[0] == M_SECT || e->mode[1] == M_SECT) {
		t->section = taken;
		t->section_pc = e->pc;
		t->unguarded = counts && !free; /* a thread that is woken has used the condition */
	} else if (t->section && counts) {
		t->unguarded += !free;
		if ((t->unguarded > MOST_UNGUARDED && !(s->without & RULE_ONE_UNGUARDED)) || (e->flags & EVF_AWAIT))
			open_section(w, t);
	}
	if (t->section && world_obj(w, t->section)->mutex.owner != t->id)
		t->section = 0;
	if (t->op.kind == EV_COND_WAKE && w->n_live > 1 && may_begin(w, t)) /* it waits, and is not announced again */
		begins_at(w->config.sections, address_of(w, t->op.obj[1]), t->op.pc);
}
