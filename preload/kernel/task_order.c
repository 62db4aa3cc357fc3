#include "preload/kernel/task_order.h"

#include "preload/accesses/mem.h"
#include "preload/control/ctl.h"
#include "preload/control/fiber.h"
#include "preload/kernel/resources.h"
#include "preload/modules/task_library.h"
#include "preload/base/rules.h"

/* More than a waiting loop of the library makes before it sleeps. A loop that waits for another thread to leave a spin lock makes any number. */
#define MOST_YIELDS 1000

static void perform(enum resource_use use, const void *pc)
{
	struct resources r = { .pc = pc };
	if (!mem_on || task_library.lo == task_library.hi || !ctl_enter())
		return;
	fiber_cur->task_yields = 0;
	ctl_session->ctl.facts.task_pieces = 1;
	resources_add(&r, RESOURCE_tasks, use, NULL);
	resources_perform(&r);
	ctl_leave();
}

void task_order_piece(const void *pc)
{
	perform(RESOURCE_CHANGE, pc);
}

void task_order_look(const void *pc)
{
	perform(RESOURCE_READ, pc);
}

void task_order_after(const void *pc)
{
	if (__builtin_expect(task_library_has(pc), 0))
		task_order_piece(pc);
}

bool task_order_yields(const void *pc)
{
	return task_library_has(pc) && mem_on && fiber_cur->task_yields++ < MOST_YIELDS;
}
