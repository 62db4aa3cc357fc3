/* Several workers on one tree of executions: see work_sharing.h. */
#include "explore/shared/work_sharing_internal.h"

#include "base/processor.h"
#include "explore/dpor/dpor.h"
#include "explore/dpor/spine.h"
#include "explore/tree/estimate.h"
#include "explore/tree/prefix.h"
#include "explore/tree/sleepset.h"
#include "explore/trace/unit.h"
#include "explore/trace/vclock.h"

#define SPINS 200

/* ---- the lock ---- */

static void host_wait(struct share_state *s, uint32_t *word, uint32_t value)
{
	if (s->host)
		s->host->wait(word, value);
	else
		processor_relax();
}

static void host_wake(struct share_state *s, uint32_t *word)
{
	if (s->host)
		s->host->wake(word);
}

static bool try_lock(struct search *s, struct common *c)
{
	uint32_t nobody = 0;
	return __atomic_compare_exchange_n(&c->lock, &nobody, s->share.worker, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

void share_lock(struct search *s)
{
	struct common *c = common_of(s);
	if (s->share.host && s->share.host->own)
		s->share.host->own();
	for (unsigned i = 0; !try_lock(s, c); i++) {
		uint32_t owner = __atomic_load_n(&c->lock, __ATOMIC_RELAXED);
		if (i < SPINS || !owner) {
			processor_relax();
			continue;
		}
		__atomic_add_fetch(&c->lining, 1, __ATOMIC_SEQ_CST);
		host_wait(&s->share, &c->lock, owner);
		__atomic_sub_fetch(&c->lining, 1, __ATOMIC_SEQ_CST);
	}
	s->core.in_common = 1;
}

static void open_door(struct search *s)
{
	struct common *c = common_of(s);
	__atomic_add_fetch(&c->wakeup, 1, __ATOMIC_SEQ_CST);
	host_wake(&s->share, &c->wakeup);
}

void share_unlock(struct search *s)
{
	struct common *c = common_of(s);
	bool news = s->share.news && c->idle;
	s->share.news = 0;
	s->core.in_common = 0;
	__atomic_store_n(&c->lock, 0, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&c->lining, __ATOMIC_SEQ_CST))
		host_wake(&s->share, &c->lock);
	if (news)
		open_door(s);
}

void share_enter(struct search *s, uint32_t i)
{
	if (i < s->share.shared)
		share_lock(s);
}

void share_leave(struct search *s)
{
	if (s->core.in_common)
		share_unlock(s);
}

void share_end(struct search *s)
{
	__atomic_store_n(&common_of(s)->over, 1, __ATOMIC_RELEASE);
	s->core.stats.finished = !s->core.failed;
	if (s->core.stats.finished)
		estimate_done(s);
	open_door(s);
}

/* ---- the tree ---- */

aref share_path(struct search *s, uint32_t i)
{
	return share_paths(s)[i];
}

aref *share_planned(struct search *s, uint32_t i)
{
	return &wakeup_at(&s->core, share_paths(s)[i + 1])->next;
}

bool share_is_leaf(struct search *s, aref r)
{
	const struct branch *b = branch_at(&s->core, r);
	return b->taken ? b->leaf : !b->w.child;
}

/* Puts the branch into the list of branches whose state has a further branch to take, or removes it from the list. */
static void list_branch(struct search *s, aref r)
{
	struct common *c = common_of(s);
	struct branch *b = branch_at(&s->core, r);
	bool open = b->taken && b->pending && !b->unsettled_child;
	if (open == b->open)
		return;
	b->open = open;
	if (open) {
		b->open_prev = 0;
		b->open_next = c->open;
		if (c->open)
			branch_at(&s->core, c->open)->open_prev = r;
		__atomic_store_n(&c->open, r, __ATOMIC_RELAXED); /* share_offer reads it without the lock */
		s->share.news = 1;
		return;
	}
	if (b->open_prev)
		branch_at(&s->core, b->open_prev)->open_next = b->open_next;
	else
		__atomic_store_n(&c->open, b->open_next, __ATOMIC_RELAXED);
	if (b->open_next)
		branch_at(&s->core, b->open_next)->open_prev = b->open_prev;
}

/* Records one more task below branch r. */
static void more_left(struct search *s, aref r)
{
	for (; r; r = branch_at(&s->core, r)->parent) {
		struct branch *b = branch_at(&s->core, r);
		if (b->left++ || !b->taken)
			return; /* it was unfinished already */
	}
}

void share_less_left(struct search *s, aref r)
{
	for (; r; r = branch_at(&s->core, r)->parent) {
		struct branch *b = branch_at(&s->core, r);
		if (--b->left || !b->taken)
			return;
		if (b->spine)
			common_of(s)->spine.certified = b->depth;
	}
	__atomic_store_n(&common_of(s)->over, 1, __ATOMIC_RELEASE);
	s->share.news = 1;
}

/* Returns how many events of the spine the executions below r begin with. */
static uint32_t on_spine(struct search *s, aref r)
{
	while (!branch_at(&s->core, r)->spine && branch_at(&s->core, r)->parent)
		r = branch_at(&s->core, r)->parent;
	return branch_at(&s->core, r)->depth;
}

uint32_t share_on_spine(struct search *s)
{
	s->core.in_common = 1; /* no lock needed, as in share_step */
	uint32_t n = on_spine(s, share_path(s, s->share.shared));
	s->core.in_common = 0;
	return n;
}

void share_note(struct search *s, aref r, aref parent, uint32_t root)
{
	struct branch *b = branch_at(&s->core, r), *p = branch_at(&s->core, parent);
	b->parent = parent;
	b->depth = p->depth + 1;
	b->root = root;
	more_left(s, parent);
	if (!p->pending)
		p->pending = r;
	list_branch(s, parent);
}

/* Frees the children of branch r. No worker may be below it or hold a branch there, and no worker may insert there any more. */
static void free_children(struct search *s, aref r)
{
	struct branch *b = branch_at(&s->core, r);
	aref list = b->w.child;
	b->w.child = b->pending = b->pruned = 0;
	list_branch(s, r);
	wakeup_free(&s->core, list);
}

/* Removes branch r, which was taken and turned out to be infeasible, with everything below it. */
static void remove_branch(struct search *s, aref r)
{
	struct branch *b = branch_at(&s->core, r);
	aref parent = b->parent, *at = &wakeup_at(&s->core, parent)->child;
	free_children(s, r);
	while (*at != r)
		at = &wakeup_at(&s->core, *at)->next;
	*at = b->w.next;
	b->w.next = 0;
	wakeup_free(&s->core, r);
	branch_at(&s->core, parent)->unsettled_child = 0;
	list_branch(s, parent);
	share_less_left(s, parent);
}

/*
 * Frees what finished children of a state no longer need. A finished child is needed only as a sleeper when no worker can insert below it
 * any more: when no earlier branch, of this state or of a state on the way to it, is still being explored. That holds for the finished
 * first children along the path that follows the first unfinished branch.
 */
static void prune_branches(struct search *s)
{
	for (aref r = common_of(s)->root; r;) {
		struct branch *b = branch_at(&s->core, r);
		aref x = b->pruned ? wakeup_at(&s->core, b->pruned)->next : b->w.child;
		for (; x && branch_at(&s->core, x)->taken && !branch_at(&s->core, x)->left; x = wakeup_at(&s->core, x)->next) {
			free_children(s, x);
			b->pruned = x;
		}
		r = x && branch_at(&s->core, x)->taken ? x : 0;
	}
}

bool share_root(struct search *s)
{
	aref *to = vec_push(&s->core, &s->share.path, sizeof *to);
	if (!to)
		return false;
	share_lock(s);
	spine_share(s);
	aref r = tree_alloc(&s->core, sizeof(struct branch));
	if (r) {
		struct branch *b = branch_at(&s->core, r);
		b->taken = b->settled = b->leaf = 1;
		b->left = 1;
		b->spine = s->spine.keeper;
		common_of(s)->root = *to = r;
	}
	share_unlock(s);
	s->share.holding = r != 0;
	return r != 0;
}

/* ---- on the way ---- */

const struct wakeup *share_step(struct search *s, uint32_t i)
{
	s->core.in_common = 1; /* no worker changes the branches that lead to a held one */
	const struct wakeup *w = wakeup_at(&s->core, share_paths(s)[i + 1]);
	s->core.in_common = 0;
	return w;
}

uint32_t share_root_of(struct search *s, uint32_t i)
{
	return ((const struct branch *)share_step(s, i))->root;
}

/* At state i, adds as sleepers the branches that are or were explored before this worker's own, besides those that sleep there anyway. */
static bool add_siblings(struct search *s, uint32_t i)
{
	struct node *n = node_at(s, i);
	n->sleep_n = sleepset_inherited(s, i);
	n->tried = 0;
	s->tree.sleeps.n = n->sleep_at + n->sleep_n;
	if (s->core.names.n > n->max_obj + 1)
		s->core.names.n = n->max_obj + 1;
	for (aref r = wakeup_at(&s->core, share_paths(s)[i])->child; r != share_paths(s)[i + 1]; r = wakeup_at(&s->core, r)->next) {
		struct sleeper *x = vec_push(&s->core, &s->tree.sleeps, sizeof *x);
		if (!x)
			return false;
		x->ev = wakeup_event(&s->core, r);
		x->forward = wakeup_at(&s->core, r)->forward;
		const struct branch *b = branch_at(&s->core, r);
		x->deadly = b->deadly;
		n->sleep_n++;
		n->tried++;
		if (!sleepset_add_parts(s, i, arena_ptr(tree_arena_of(&s->core), b->feet), b->foot_n))
			return false;
	}
	return true;
}

bool share_sleepers(struct search *s, uint32_t i)
{
	if (!sleepset_inherit(s, i))
		return false;
	s->core.in_common = 1; /* no lock needed, as in share_step */
	node_at(s, i)->free = branch_at(&s->core, share_paths(s)[i])->oversleeps;
	if (node_at(s, i)->free)
		sleepset_oversleep(s, i);
	bool done = add_siblings(s, i);
	s->core.in_common = 0;
	return done;
}

/* ---- taking ---- */

static bool same_choice(const struct wakeup *a, const struct wakeup *b)
{
	return a->ev.thread == b->ev.thread && a->ev.alt == b->ev.alt;
}

/* Removes planned children of r that turn out to equal an earlier child. Returns whether one is left to take. */
static bool has_pending(struct search *s, aref r)
{
	for (;;) {
		struct branch *b = branch_at(&s->core, r);
		if (!b->pending)
			return false;
		aref x = b->w.child;
		while (x != b->pending && !same_choice(wakeup_at(&s->core, x), wakeup_at(&s->core, b->pending)))
			x = wakeup_at(&s->core, x)->next;
		if (x == b->pending)
			return true;
		x = b->pending;
		b->pending = wakeup_at(&s->core, x)->next;
		remove_branch(s, x);
	}
}

/* Returns whether a worker without work takes r before q. For a certificate, first what begins as the spine does for the longest. */
static bool comes_before(struct search *s, aref r, aref q)
{
	bool certify = s->core.config.certify != CERTIFY_NOT;
	uint32_t a = certify ? on_spine(s, r) : 0, b = certify ? on_spine(s, q) : 0;
	return a != b ? a > b : branch_at(&s->core, r)->depth < branch_at(&s->core, q)->depth;
}

/* Chooses the branch from whose state the worker continues: the deepest open one on its own path, else the one nearest to the root,
   where most work is likely, but see comes_before. */
static aref find_open(struct search *s)
{
	for (uint32_t i = s->share.path.n; i-- > 0;)
		if (branch_at(&s->core, share_paths(s)[i])->open)
			return share_paths(s)[i];
	aref best = 0;
	for (aref r = common_of(s)->open; r; r = branch_at(&s->core, r)->open_next)
		if (!best || comes_before(s, r, best))
			best = r;
	return best;
}

/* Sets the path to leaf r, and cuts the stack back to the part that both paths share. */
static bool set_path(struct search *s, aref r)
{
	uint32_t depth = branch_at(&s->core, r)->depth, same = 0;
	if (!vec_reserve(&s->core, &s->share.path, depth + 1, sizeof(aref)))
		return false;
	for (uint32_t i = depth + 1; i-- > 0; r = branch_at(&s->core, r)->parent) {
		if (i < s->share.path.n && share_paths(s)[i] == r) {
			same = i + 1;
			break;
		}
		share_paths(s)[i] = r;
	}
	if (same > s->trace.nodes.n)
		same = s->trace.nodes.n;
	s->share.path.n = depth + 1;
	s->share.shared = depth;
	prefix_truncate(s, same);
	clocks_truncate(s, same && same - 1 < s->trace.analysed ? same - 1 : s->trace.analysed);
	return true;
}

/* Takes the first branch planned below r, then the first one below that, down to a leaf. */
static bool take_leaf(struct search *s, aref r)
{
	s->share.settled = branch_at(&s->core, r)->depth;
	for (aref x = branch_at(&s->core, r)->pending; x; x = branch_at(&s->core, r)->pending) {
		struct branch *b = branch_at(&s->core, r);
		b->pending = wakeup_at(&s->core, x)->next;
		b->unsettled_child = 1;
		list_branch(s, r);
		r = x;
		b = branch_at(&s->core, r);
		b->taken = 1;
		b->leaf = !b->w.child;
		b->pending = b->w.child;
	}
	branch_at(&s->core, r)->left = 1; /* it is held now; so far it was planned, so it counts as unfinished already */
	s->share.holding = 1;
	return set_path(s, r);
}

void share_set_waiting(struct search *s, bool waits)
{
	if (waits && !s->share.waiting)
		__atomic_add_fetch(&common_of(s)->idle, 1, __ATOMIC_SEQ_CST);
	else if (!waits && s->share.waiting)
		__atomic_sub_fetch(&common_of(s)->idle, 1, __ATOMIC_SEQ_CST);
	s->share.waiting = waits;
}

bool share_next(struct search *s)
{
	bool found = false;
	share_lock(s);
	if (s->share.holding)
		share_less_left(s, share_paths(s)[s->share.shared]);
	s->share.holding = s->spine.keeper = 0;
	for (aref r; !s->core.failed && !found && (r = find_open(s));)
		found = has_pending(s, r) && take_leaf(s, r);
	bool over = explore_common_over(common_of(s)) || s->core.failed;
	share_set_waiting(s, !found && !over);
	if (!found)
		s->share.shared = s->share.settled = s->share.path.n = 0; /* without work, those branches may be freed */
	prune_branches(s);
	bool ready = found && (!s->trace.nodes.n || add_siblings(s, s->trace.nodes.n - 1)); /* another branch is taken from there */
	share_unlock(s);
	if (over)
		share_end(s);
	return ready;
}

/* ---- what was seen ---- */

/* Returns whether the unit did what was expected of it. */
static bool settle_step(struct search *s, uint32_t i, const struct sleeper *x)
{
	struct branch *b = branch_at(&s->core, share_paths(s)[i + 1]);
	aref child = b->w.child, next = b->w.next;
	uint64_t guess = b->w.guess;
	wakeup_set(&s->core, &b->w, &x->ev, &x->forward);
	b->w.child = child;
	b->w.next = next;
	b->deadly = x->deadly != 0;
	b->settled = 1;
	b->did = search_atomic(s) ? unit_did(s, i) : 0;
	share_keep_feet(s, b, i);
	branch_at(&s->core, share_paths(s)[i])->unsettled_child = 0;
	list_branch(s, share_paths(s)[i]);
	return !guess || guess == b->did;
}

/* Handles an execution that did not reach the leaf. Either the next planned choice was infeasible (dropped), or the process ended
   before; then nothing else is possible after what it performed, and the worker holds that state from now on. */
static void settle_short(struct search *s, uint32_t n)
{
	struct branch *b = branch_at(&s->core, share_paths(s)[n]);
	if (s->share.dropped || n == s->share.settled) {
		b->left++;
		remove_branch(s, share_paths(s)[n + 1]);
	} else {
		free_children(s, share_paths(s)[n]);
		b->unsettled_child = 0;
		b->leaf = 1;
		b->left = 1;
	}
	s->share.shared = n;
	s->share.path.n = n + 1;
}

void share_settle(struct search *s)
{
	uint32_t n = s->trace.analysed < s->share.shared ? s->trace.analysed : s->share.shared;
	for (uint32_t i = s->share.settled; i < n; i++) {
		struct sleeper x;
		share_sleeper_of(s, i, &x);
		share_lock(s);
		bool expected = settle_step(s, i, &x);
		share_unlock(s);
		if (!expected)
			dpor_plan_all(s, i);
	}
	if (n < s->share.shared) {
		share_lock(s);
		settle_short(s, n);
		share_unlock(s);
	}
	s->share.dropped = 0;
	s->share.settled = s->share.shared;
}
