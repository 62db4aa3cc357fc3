/* A worker gives away planned work: a part of it when other workers wait, all of it when it retires. See work_sharing.h. */
#include "explore/shared/work_sharing_internal.h"

#include <string.h>

#include "explore/trace/buffer.h"
#include "explore/tree/sleepset.h"

/* A branch of this worker's own tree, to be copied below branch `to`. */
struct copy {
	aref from, to;
};

/* Copies one node of the worker's own tree, and records its children for later. */
static bool copy_node(struct search *s, const struct wakeup *from, aref *head, aref parent, uint32_t root)
{
	aref r = tree_alloc(&s->core, sizeof(struct branch));
	if (!r)
		return false;
	struct wakeup *w = wakeup_at(&s->core, r);
	*w = *from;
	w->child = w->next = 0;
	*head = r;
	share_note(s, r, parent, root);
	struct copy *later = from->child ? vec_push(&s->core, &s->share.copies, sizeof *later) : NULL;
	if (later)
		*later = (struct copy){from->child, r};
	return !s->core.failed;
}

/* Appends copies of the trees of `list`, this worker's own, to the children of branch `parent`. */
static bool copy_trees(struct search *s, aref list, aref parent, uint32_t root)
{
	struct vec *todo = &s->share.copies;
	uint32_t done = 0;
	todo->n = 0;
	for (;;) {
		aref *head = &wakeup_at(&s->core, parent)->child;
		while (*head)
			head = &wakeup_at(&s->core, *head)->next;
		for (struct wakeup *from; (from = arena_ptr(core_arena(&s->core), list)); list = from->next) {
			if (!copy_node(s, from, head, parent, root))
				return false;
			head = &wakeup_at(&s->core, *head)->next;
		}
		if (done == todo->n)
			return true;
		struct copy c = ((struct copy *)vec_data(&s->core, todo))[done++];
		list = c.from;
		parent = c.to;
	}
}

/* Appends a branch that was or is being explored to the children of branch `parent`. */
static aref copy_taken(struct search *s, const struct sleeper *x, aref parent)
{
	aref *head = &wakeup_at(&s->core, parent)->child;
	while (*head)
		head = &wakeup_at(&s->core, *head)->next;
	aref r = wakeup_append(&s->core, head, &x->ev, &x->forward);
	if (!r)
		return 0;
	struct branch *b = branch_at(&s->core, r);
	b->parent = parent;
	b->depth = branch_at(&s->core, parent)->depth + 1;
	b->taken = b->settled = b->leaf = 1;
	b->deadly = x->deadly != 0;
	return r;
}

void share_keep_feet(struct search *s, struct branch *b, uint32_t i)
{
	uint32_t n = node_at(s, i)->foot_n;
	struct foot *to = wakeup_add_feet(&s->core, b, n);
	if (to)
		memcpy(to, node_feet(s, i), n * sizeof *to);
}

/* Copies sleepers [k, end) of node i, which sleep because they were explored there, to the children of branch
   `parent`. */
static bool copy_explored(struct search *s, uint32_t i, uint32_t k, uint32_t end, aref parent)
{
	for (uint32_t next; k < end; k = next) {
		for (next = k + 1; next < end && sleepers(s, i)[next].part; next++)
			;
		aref r = copy_taken(s, sleepers(s, i) + k, parent);
		uint32_t feet = next - k > 1 ? next - k : 0;
		struct foot *to = r ? wakeup_add_feet(&s->core, branch_at(&s->core, r), feet) : NULL;
		if (!r || s->core.failed)
			return false;
		for (uint32_t p = 1; to && p < feet; p++) {
			const struct sleeper *part = sleepers(s, i) + k + p;
			to[p] = (struct foot){.ev = part->ev, .name = {part->name[0], part->name[1]}};
		}
	}
	return true;
}

/* Returns whether state i has planned work to give. */
static bool has_to_give(struct search *s, uint32_t i)
{
	aref wut = node_at(s, i)->wut;
	return wut && (i < s->trace.nodes.n - 1 || wakeup_at(&s->core, wut)->next);
}

/* The state nearest to the root that has planned work to give; NO_INDEX: this worker needs all of it. The keeper of the spine gives what
   is nearest to the end of the certified part, so that this gets shorter soon. */
static uint32_t what_to_give(struct search *s)
{
	uint32_t give = NO_INDEX;
	for (uint32_t i = s->share.shared; i < s->trace.nodes.n; i++) {
		if (!has_to_give(s, i))
			continue;
		if (!s->spine.keeper)
			return i;
		if (give == NO_INDEX || i < s->spine.certified)
			give = i;
	}
	return give;
}

void share_sleeper_of(struct search *s, uint32_t i, struct sleeper *x)
{
	const struct node *n = node_at(s, i);
	memset(x, 0, sizeof *x);
	x->ev = n->ev;
	x->deadly = n->deadly | n->foot_deadly;
	forward_of_node(s, i, &x->forward);
}

/* Makes node i, the first private one, a shared state. The worker then holds the branch that it continues with there, or nothing. */
static bool publish(struct search *s, uint32_t i)
{
	struct node *n = node_at(s, i);
	aref here = share_paths(s)[i], own = 0, wut = n->wut;
	bool top = i == s->trace.nodes.n - 1; /* what was explored there sleeps already, and nothing is being explored */
	struct sleeper mine;
	branch_at(&s->core, here)->oversleeps = n->free;
	if (!copy_explored(s, i, sleepset_inherited(s, i), n->sleep_n, here))
		return false;
	if (!top) {
		share_sleeper_of(s, i, &mine);
		own = copy_taken(s, &mine, here);
		aref *to = own ? vec_push(&s->core, &s->share.path, sizeof *to) : NULL;
		if (!to)
			return false;
		*to = own;
		branch_at(&s->core, own)->spine = s->spine.keeper && branch_at(&s->core, here)->spine && i + 1 < s->spine.certified;
		branch_at(&s->core, own)->left = 1; /* what this worker held before, it now holds there */
		share_keep_feet(s, branch_at(&s->core, own), i);
	}
	if (!copy_trees(s, wut, here, n->tree_root == NO_INDEX ? i : n->tree_root))
		return false;
	if (top)
		share_less_left(s, here);
	n->wut = 0;
	s->core.in_common = 0;
	wakeup_free(&s->core, wut);
	s->core.in_common = 1;
	s->share.shared = s->share.settled = i + 1;
	s->share.holding = !top;
	return true;
}

void share_offer(struct search *s)
{
	if (!s->share.worker || !__atomic_load_n(&common_of(s)->idle, __ATOMIC_RELAXED) ||
		__atomic_load_n(&common_of(s)->open, __ATOMIC_RELAXED))
		return;
	uint32_t give = what_to_give(s);
	if (give == NO_INDEX)
		return;
	share_lock(s);
	while (s->share.shared <= give && publish(s, s->share.shared))
		;
	share_unlock(s);
}

void share_hand_back(struct search *s, bool more)
{
	if (s->share.waiting) {
		share_set_waiting(s, false);
		return;
	}
	share_lock(s);
	while (more && s->share.shared < s->trace.nodes.n && publish(s, s->share.shared))
		;
	if (s->share.holding && !s->core.failed)
		share_less_left(s, share_paths(s)[s->share.shared]);
	s->share.holding = 0;
	s->share.shared = s->share.settled = s->share.path.n = 0;
	share_unlock(s);
}
