/* See rewind_policy.h. */
#include "preload/life/rewind_policy.h"

#include <stddef.h>
#include <string.h>

#include "preload/control/ctl.h"
#include "preload/life/rewind_profile.h"
#include "preload/base/rules.h"

/* Rewinding stops when two things hold. There were fewer than WORTH rewinds for each process that could not be rewound. And there were
   SHOTS such processes, or TAINTED_SHOTS with a lasting reason, or WASTED_PAGES pages were copied for them. */
#define SHOTS 16
#define TAINTED_SHOTS 3
#define WASTED_PAGES (3 * PROFILE_PAGES)
#define WORTH 8
#define FRESH 4               /* after this many processes that wrote to new pages, the next one also copies the neighbours of known pages */
#define FAULT_TICKS 2000u     /* least cost of the first write to a page after a fork */
#define LIFE 3                /* start and end of a process, and the wait for it, cost this many times the call of fork */
#define ENOUGH 16             /* rewinds before their cost is compared with that of forks */
#define TRIAL 8               /* rewinds before the cost of comparing pages is weighed against that of watching them */
#define WATCH_FROM 256u       /* fewest pages in long runs that are worth watching */
#define WATCH_BELOW 8         /* start watching if fewer than one page in this many is written to */
#define WATCH_ABOVE 4         /* stop watching if more than one page in this many is written to */

/* After WINDOWS_TRIED processes that could not be rewound to a window, each must have had WINDOWS_WORTH executions
   that were, on average. */
#define WINDOWS_TRIED 16
#define WINDOWS_WORTH 2

void policy_forked(uint64_t took)
{
	uint64_t *least = &ctl_session->ctl.rewind.fork_ticks;
	if (!*least || took < *least)
		*least = took;
}

static void note_why(const char *why)
{
	struct session_control *c = &ctl_session->ctl;
	size_t n = strlen(why) < SESSION_MESSAGE ? strlen(why) : SESSION_MESSAGE - 1;
	memcpy(c->rewind.rewind_why, why, n);
	c->rewind.rewind_why[n] = 0;
}

void policy_stop(const char *why)
{
	note_why(why);
	ctl_session->ctl.rewind.rewind_off = 1;
}

void policy_go_on(void)
{
	struct session_rewind *r = &ctl_session->ctl.rewind;
	r->rewind_why[0] = 0;
	r->rewind_off = 0;
}

void policy_gave_up(const struct copied *c, enum policy_cause cause, const char *why)
{
	profile->gave_up++;
	profile->wasted += c->n;
	if (cause == POLICY_NEW_PAGES && ++profile->fresh % FRESH == 0)
		profile->widen = true;
	if (cause == POLICY_STAYS) { /* only a lasting reason counts as tainted; the other causes are expected while the profile grows */
		note_why(why);
		profile->tainted++;
	}
	bool enough = profile->gave_up >= SHOTS || profile->tainted >= TAINTED_SHOTS || profile->wasted >= WASTED_PAGES;
	if (enough && ctl_session->ctl.rewind.rewound < profile->gave_up * WORTH)
		policy_stop(why);
}

/* Stops rewinding if forks are cheaper. They are if each execution writes to only a few of many pages: a fork copies the written pages, but
   a rewind compares all pages that are not watched. (The first write to a watched page is a page fault in both cases.) The fastest rewind
   and the fastest fork are compared, because slower ones were interrupted. */
static void compare_with_fork(struct worth *w, const struct copied *c, uint64_t took, uint64_t dirty)
{
	if (c->n < KNOWN_MANY)
		return;
	w->ticks = !w->compared || took < w->ticks ? took : w->ticks;
	w->fork_ticks += ctl_session->ctl.rewind.fork_ticks * LIFE + dirty * FAULT_TICKS;
	if (++w->compared % ENOUGH == 0 && w->ticks * w->compared > w->fork_ticks)
		policy_stop("write to little of much memory, not always the same");
}

void policy_rewound(struct worth *w, const struct copied *c, uint64_t took, uint64_t dirty)
{
	w->dirty += c->watched ? c->written : dirty;
	w->rounds++;
	compare_with_fork(w, c, took, dirty);
}

void policy_left_window(void)
{
	uint64_t left = ++profile->left_windows;
	if (left >= WINDOWS_TRIED && profile->rewound_at_window < left * WINDOWS_WORTH)
		profile->windows_off = true;
}

bool policy_otherwise(const struct worth *w, const struct copied *c)
{
	if (w->rounds != TRIAL)
		return false;
	if (c->watched) {
		if (w->dirty * WATCH_ABOVE <= (uint64_t)c->watched * w->rounds)
			return false;
		profile->watch = WATCH_OFF;
		return true;
	}
	if (profile->watch != WATCH_OPEN || c->long_runs < WATCH_FROM || w->dirty * WATCH_BELOW > (uint64_t)c->long_runs * w->rounds)
		return false;
	return profile_may_watch();
}
