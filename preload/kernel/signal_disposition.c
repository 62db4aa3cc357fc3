#include "preload/kernel/signal_disposition.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "preload/accesses/mem.h"
#include "preload/control/ctl.h"
#include "preload/kernel/resources.h"
#include "preload/kernel/signals.h"
#include "preload/base/rules.h"

static void add(struct resources *r, int sig, enum resource_use use)
{
	const char *name = sigabbrev_np(sig);
	char text[40];

	snprintf(text, sizeof(text), "the disposition of SIG%s", name ? name : "RT");
	resources_add(r, resource_disposition(sig), use, text);
}

/* Performs an event on the signals of the process, and on these resources, of which that of sig is visible. */
static void perform(int sig, bool inherited, const void *pc)
{
	struct op op = ctl_op(EV_FD_OTHER, pc);

	op.obj[0] = signals_process_object();
	if (!inherited || !resource_attach(&op, resource_inherited(false)))
		resource_attach(&op, resource_disposition(sig));
	ctl_perform(&op);
}

void disposition_reads(int sig, const void *pc)
{
	struct resources r = {.pc = pc};

	if (!mem_on)
		return;
	add(&r, sig, RESOURCE_READ);
	resources_note(&r);
	if (resource_is_visible(resource_disposition(sig)))
		perform(sig, false, pc);
}

void disposition_changes(int sig, const void *pc)
{
	struct resources r = {.pc = pc};

	if (!mem_on)
		return;
	add(&r, sig, RESOURCE_CHANGE);
	resources_inherited(&r, false);
	if (!resource_is_visible(resource_disposition(sig))) {
		resources_perform(&r);
		return;
	}
	resources_note(&r);
	perform(sig, true, pc);
}

void disposition_sends(int sig, struct op *op)
{
	struct resources r = {.pc = (const void *)op->pc};

	if (!mem_on || !sig)
		return;
	add(&r, sig, RESOURCE_READ);
	resources_note(&r);
	if (resource_is_visible(resource_disposition(sig)))
		op->obj[1] = signals_process_object();
}
