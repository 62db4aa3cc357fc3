/*
 * The lists of children of SystemC's modules, for strategies that need the footprints of steps (systemc_steps.h).
 *
 * A process that ends is removed from the list of its module's children, and the last child takes its place. So the
 * order in which processes end may decide the order of the list. A program sees it only if it asks for the list, or
 * for the objects without parents after a module was destroyed in which children have moved. Until an execution does
 * so, removals do not access the list. If it does so after a removal, the search begins again, and every removal is an
 * access.
 */
#include "base/session.h"
#include "preload/base/state.h"
#include "preload/cooperative/systemc_hooks.h"
#include "preload/cooperative/systemc_kernel.h"
#include "preload/memory/footprint.h"
#include "preload/base/rules.h"

#define FRAME __builtin_frame_address(0)
#define PC __builtin_return_address(0)

#define MOVED 64

/* Private memory: each execution begins with the values at the checkpoint. */
static struct {
	bool removed, listed; /* in this execution */
	bool orphaned;        /* a module is being destroyed: its children become objects without parents */
	unsigned n;           /* number of children that have taken the place of another one */
	const void *moved[MOVED]; /* the first of them */
} children;

/* The program may have a function of its own that lists the children of its modules. */
static bool list_unseen(const void *module)
{
	return !children.listed && !ctl_session->ctl.discoveries.applied_children_listed &&
	       systemc_lists_children(module) == (const void *)(uintptr_t)systemc_children;
}

static void list_seen(void)
{
	children.listed = true;
	if (children.removed && ctl_session)
		ctl_session->ctl.discoveries.children_listed = 1;
}

/* Notes the child that takes the place of a removed one. */
static void note_move(const void *module, const void *removed)
{
	size_t n;
	void *const *list = systemc_children_of(module, &n);
	if (n && list[n - 1] != removed && children.n++ < MOVED)
		children.moved[children.n - 1] = list[n - 1];
}

/* Returns whether a child of the module has moved. If none has, those that are left came before all that were removed,
   and no order of the removals moves them. */
static bool moved(const void *module)
{
	size_t n;
	void *const *list = systemc_children_of(module, &n);
	for (size_t i = 0; i < n && children.n <= MOVED; i++)
		for (unsigned k = 0; k < children.n; k++)
			if (list[i] == children.moved[k])
				return true;
	return n && children.n > MOVED;
}

long systemc_remove_child(long module, long child, long c)
{
	systemc_look(PC);
	if (!systemc_known())
		return systemc_real_remove_child(module, child, c);
	note_move((const void *)module, (const void *)child);
	if (!list_unseen((const void *)module) || !footprint_pause(FRAME))
		return systemc_real_remove_child(module, child, c);
	children.removed = true;
	footprint_word(systemc_parent_word((uint64_t)child) & ~UINT64_C(7), 0xff, true);
	long result = systemc_real_remove_child(module, child, c);
	footprint_continue();
	return result;
}

long systemc_children(long module, long b, long c)
{
	systemc_look(PC);
	if (!children.orphaned)
		list_seen();
	return systemc_real_children(module, b, c);
}

/* Calls the function above. */
long systemc_orphan_children(long module, long b, long c)
{
	systemc_look(PC);
	if (footprint_open || !systemc_known() || moved((const void *)module))
		list_seen();
	children.orphaned = true;
	long result = systemc_real_orphan_children(module, b, c);
	children.orphaned = false;
	return result;
}
