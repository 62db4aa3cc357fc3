/* What exists before the first step: the world, happens-before, the first fiber. */
#include <string.h>

#include "base/arena.h"
#include "base/processor.h"
#include "explore/explore.h"
#include "preload/base/aside.h"
#include "preload/control/ctl_start.h"
#include "preload/control/fiber.h"
#include <string.h>

#include "preload/base/safe_read.h"
#include "preload/control/ctl.h"
#include "preload/memory/aliases.h"
#include "preload/memory/full_order.h"
#include "preload/memory/round_state.h"
#include "preload/memory/window.h"
#include "sched/hb.h"
#include "sched/section.h"
#include "preload/base/rules.h"

static char gone[SESSION_PAGE]; /* stands for a page that the program has unmapped: a pending access of it will crash */

/* `size` bytes in one page. */
static void *memory(void *ctx, uint64_t addr, uint32_t size)
{
	char byte;
	if (ctl_pages_changed && !safe_read(addr, &byte, 1))
		return memset(gone, 0, sizeof gone);
	return (void *)addr;
}

static uint64_t key(void *ctx, uint64_t addr)
{
	return alias_key(addr);
}

void ctl_attach_trace(void)
{
	const struct session *s = ctl_session;
	ctl_trace.cap = (uint32_t)s->layout.events_cap;
	ctl_trace.event = ctl_segment(s->layout.events_off);
	ctl_trace.pending = ctl_segment(s->layout.pending_off);
	ctl_trace.alts = ctl_segment(s->layout.alts_off);
	ctl_trace.memory = ctl_segment(s->layout.memory_off);
	ctl_trace.await = ctl_segment(s->layout.await_off);
	ctl_trace.steps = ctl_segment(s->layout.steps_off);
}

void ctl_start(void)
{
	struct arena *arena = ctl_arena_begin();
	struct session *s = ctl_session;
	struct thread_names *names = ctl_segment(s->layout.names_off);
	if (!names->count)
		thread_names_init(names);
	bool awaits = !window_used() && s->config.settings.model != MODEL_RC11;
	struct world_config wc = {
		.names = names,
		.trace = &ctl_trace,
		.settings = s->config.settings,
		.ready = operations.ready,
		.waits = operations.waits,
		.futex_matches = operations.futex_matches,
		.memory = memory,
		.key = key,
		.await = awaits ? ctl_segment(s->layout.await_off) : NULL,
		.regions = s->config.mode == MODE_EXPLORE ? &s->ctl.discoveries.applied_regions : NULL,
		.sections = s->config.mode == MODE_EXPLORE && s->config.sections ? ctl_segment(s->layout.sections_off) : NULL,
		.rounds = round_possible() ? &s->ctl.execution.rounds : NULL,
		.limits = endless_possible() ? round_limits() : NULL,
		.endless = endless_possible() ? endless_limits() : NULL,
		.stops = &s->ctl.execution.stops,
	};
	ctl_sections = wc.sections;
	ctl_hb = hb_init(arena, s->config.settings.model);
	wc.order = ctl_hb;
	if (s->config.mode == MODE_EXPLORE)
		wc.samples = &explore_stats(ctl_segment(s->layout.explore_off))->graphs_left;
	ctl_world = ctl_hb ? world_init(arena, &wc) : NULL;
	if (!ctl_world || !ctl_hb || !full_order_init(arena))
		ctl_out_of_memory();
	aside_init();
	ctl_avx = processor_has_avx();
	fiber_init(s->config.settings.threads == THREADS_KERNEL);
	world_set_cancelable(ctl_world, 0, true);
}

void ctl_call_opaque(void)
{
	section_opaque(ctl_world, fiber_cur->id);
}
