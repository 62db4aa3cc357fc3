#include "preload/memory/window.h"

#include "base/hash.h"
#include "explore/explore.h"
#include "preload/base/running.h"
#include "preload/base/state.h"
#include "preload/memory/shadow.h"
#include "sched/memory.h"
#include "preload/base/rules.h"

bool window_on;
static struct session_window window; /* of the running execution; slice 0: there is none */

#define WAITS 32 /* accesses to one address in a row */

/* The latest accesses of the running thread since the latest event. */
static struct {
	uint64_t addr;
	uint32_t n; /* so many were to this address */
	uint32_t found; /* what was there at the access WAITS / 2 */
} latest;

bool window_waits(uint64_t addr, uint64_t size)
{
	if (addr != latest.addr) {
		latest.addr = addr;
		latest.n = 0;
	}
	latest.n++;
	if (latest.n == WAITS / 2)
		latest.found = memory_fingerprint((const void *)addr, (uint32_t)size);
	if (latest.n < WAITS)
		return false;
	latest.n = 0;
	return memory_fingerprint((const void *)addr, (uint32_t)size) == latest.found;
}

bool window_used(void)
{
	const struct session_config *c = &ctl_session->config;
	return c->mode == MODE_EXPLORE ? c->strategy == STRATEGY_WINDOWS : c->settings.window_slice != 0;
}

void window_begin(void)
{
	const struct settings *s = &ctl_session->config.settings;
	if (!window_used())
		return;
	window = ctl_session->ctl.execution.window;
	if (ctl_session->config.mode != MODE_EXPLORE)
		window = (struct session_window){ s->window_slice, s->window_from, s->window_to };
	window_on = window.slice != 0;
	mem_budget = window_event();
}

void window_resume(void)
{
	if (window_on)
		window.to = ctl_session->ctl.execution.window.to;
}

bool window_comes(uint32_t n)
{
	return window_on && n && n == window.from;
}

/* Returns the length of the slice that begins now: half of `slice` to one and a half. If all had one length, a thread
   whose loop takes that long, too, could give way at the same place each time: while it holds a lock, for example. */
static int64_t slice(void)
{
	return window.slice / 2 + (int64_t)(mix64(ctl_trace.n) % window.slice);
}

int64_t window_event(void)
{
	if (!window.slice)
		return MEM_BUDGET;
	latest.n = 0;
	mem_coarse = ctl_trace.n < window.from || ctl_trace.n >= window.to;
	world_shut(ctl_world, mem_coarse);
	return mem_coarse ? slice() : MEM_BUDGET;
}
