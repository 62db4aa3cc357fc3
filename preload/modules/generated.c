#include "preload/modules/generated.h"

#include <sys/mman.h>

#include "preload/base/state.h"
#include "preload/base/rules.h"

static bool before; /* there was such memory before the checkpoint, or before control began */

static void report(void)
{
	struct session_sensors *s = ctl_segment(ctl_session->layout.sensors_off);
	s->generated_code = 1;
	ctl_no_sections();
}

void generated_protected(int protection)
{
	if (!(protection & PROT_EXEC))
		return;
	if (ctl_state == CTL_ON && ctl_past_checkpoint)
		report();
	else
		before = true;
}

void generated_begin(void)
{
	if (before)
		report();
}
