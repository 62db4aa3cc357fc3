/* The common part as a whole, and how workers join it: see common.h, work_sharing.h. */
#include "explore/shared/common.h"

#include <string.h>

#include "explore/dpor/dpor.h"
#include "explore/auto/auto.h"
#include "explore/graph/graphs_sharing.h"
#include "explore/shared/work_sharing.h"

#define COMMON_MAGIC UINT64_C(0x6e6f6d6d6f636d53)

size_t explore_common_min_memory(void)
{
	return COMMON_HEADER + sizeof(struct arena) + 64 * 1024;
}

bool explore_common_create(void *common, size_t size)
{
	struct common *c = common;
	if (size < explore_common_min_memory())
		return false;
	memset(c, 0, COMMON_HEADER);
	arena_init((char *)common + COMMON_HEADER, size - COMMON_HEADER);
	c->size = size;
	c->magic = COMMON_MAGIC;
	return true;
}

/* Returns whether workers have no work to share: each makes samples of its own. */
static bool samples_alone(const struct search *s)
{
	return s->core.config.strategy == STRATEGY_WINDOWS;
}

static bool is_graphs(const struct search *s)
{
	return s->core.config.strategy == STRATEGY_GRAPHS;
}

bool explore_join(void *memory, void *common, size_t size, bool owns_root)
{
	struct search *s = memory;
	struct common *c = common;
	if (s->core.config.strategy != STRATEGY_OPTIMAL && !is_graphs(s) && !samples_alone(s))
		return false;
	if (c->magic != COMMON_MAGIC || c->size > size || s->share.worker)
		return false;
	if (owns_root ? c->root || c->graphs.members : s->tree.started)
		return false;
	s->core.common_at = (char *)common - (char *)memory;
	s->share.worker = __atomic_add_fetch(&c->workers, 1, __ATOMIC_ACQ_REL);
	if (!owns_root && (samples_alone(s) || is_graphs(s))) /* samples of its own */
		s->core.config.seed = mix64(s->core.config.seed + s->share.worker * SPLITMIX_STEP);
	if (samples_alone(s))
		return true;
	if (is_graphs(s)) {
		graphs_join(s, owns_root);
		return true;
	}
	if (s->auto_search)
		auto_join(s);
	if (owns_root)
		return share_root(s);
	if (s->auto_search)
		auto_leave(s);
	s->tree.started = 1; /* another worker has the root */
	s->share.waiting = 1;
	__atomic_add_fetch(&c->idle, 1, __ATOMIC_ACQ_REL);
	return true;
}

bool explore_can_join(const void *memory)
{
	const struct search *s = memory;
	const struct auto_search *it = s->auto_search ? auto_of((struct search *)memory) : NULL;
	if (samples_alone(s))
		return s->core.stats.executions + s->core.stats.cut > 0;
	if (s->core.config.certify != CERTIFY_NOT && s->spine.state != SPINE_KNOWN)
		return false;
	bool cut = s->core.config.budgeted && s->core.stats.cut > s->core.stats.executions; /* little work for others; samples follow (auto/auto.h) */
	bool settled = !it || (s->tree.started && (it->begun || it->gone));
	bool atomic = s->core.config.regions & REGION_ATOMIC;
	return (s->core.config.strategy == STRATEGY_OPTIMAL || is_graphs(s)) && !cut && settled && !atomic;
}

bool explore_hand_back(void *memory)
{
	struct search *s = memory;
	if (samples_alone(s))
		return true;
	s->share.host = NULL; /* it belonged to a process that is gone */
	if (!s->core.failed && !explore_common_over(common_of(s)) && is_graphs(s))
		graphs_hand_back(s);
	else if (!s->core.failed && !explore_common_over(common_of(s)))
		dpor_hand_back(s);
	if (s->core.failed)
		share_end(s);
	return !s->core.failed;
}

void explore_use_host(void *memory, const struct explore_host *host)
{
	((struct search *)memory)->share.host = host;
}

bool explore_waiting(const void *memory)
{
	const struct search *s = memory;
	return s->share.waiting && !s->core.stats.finished && !s->core.failed;
}

uint32_t *explore_wakeup(void *common)
{
	return &((struct common *)common)->wakeup;
}

bool explore_common_over(const void *common)
{
	return __atomic_load_n(&((const struct common *)common)->over, __ATOMIC_ACQUIRE);
}

uint32_t explore_common_changing(const void *common)
{
	return __atomic_load_n(&((const struct common *)common)->lock, __ATOMIC_ACQUIRE);
}

uint32_t explore_worker(const void *memory)
{
	return ((const struct search *)memory)->share.worker;
}

static struct arena *arena_of(const void *common)
{
	return (struct arena *)((char *)common + COMMON_HEADER);
}

uint64_t explore_common_used(const void *common)
{
	return COMMON_HEADER + arena_of(common)->used;
}

bool explore_common_fits(const void *memory, const void *common, size_t size)
{
	const struct search *s = memory;
	const struct common *c = common;
	const struct arena *a = arena_of(common);

	if (!s->share.worker)
		return true;
	if (size < explore_common_min_memory() || c->magic != COMMON_MAGIC || c->size != size || c->lock)
		return false;
	return s->share.worker <= c->workers && (const char *)memory + s->core.common_at == (const char *)common &&
		a->size == size - COMMON_HEADER && a->used <= a->size;
}

/* ---- tasks that nobody has ---- */

/* A walk over branches of memory that may be damaged: it reads only the part that is in use, and ends after a number
   of steps. */
struct walk {
	struct arena *arena;
	uint64_t used, steps;
};

/* Returns branch r; NULL: there is none, or the walk ends. */
static const struct branch *walk_to(struct walk *w, aref r)
{
	if (!r || !w->steps || (uint64_t)r * 8 + sizeof(struct branch) > w->used)
		return NULL;
	w->steps--;
	return arena_ptr(w->arena, r);
}

/* Returns what follows b in the trees below branch `top`: its first child, else the next sibling of b or of a branch
   that leads to b. 0: nothing. */
static aref next_below(struct walk *w, const struct branch *b, aref top)
{
	if (b->w.child)
		return b->w.child;
	while (b && !b->w.next && b->parent != top)
		b = walk_to(w, b->parent);
	return b ? b->w.next : 0;
}

uint64_t explore_common_open(const void *common, size_t size)
{
	struct arena *a = arena_of(common);
	uint64_t room = size - COMMON_HEADER, leaves = 0;
	struct walk w = {a, a->used < room ? a->used : room, 4 * room / sizeof(struct branch)};
	const struct branch *state, *b;

	for (aref open = ((const struct common *)common)->open; (state = walk_to(&w, open)); open = state->open_next)
		for (aref r = state->pending; (b = walk_to(&w, r)); r = next_below(&w, b, open))
			leaves += !b->w.child;
	return leaves;
}
