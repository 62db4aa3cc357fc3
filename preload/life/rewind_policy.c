/* See rewind_policy.h. */
#include "preload/life/rewind_policy.h"

#include <stddef.h>
#include <string.h>

#include "preload/control/ctl.h"
#include "preload/life/rewind_profile.h"
#include "preload/life/snapshot.h"
#include "preload/base/rules.h"

#define SHOTS 16              /* processes that could not be rewound, before anybody thinks about it */
#define TAINTED_SHOTS 3       /* the same of those whose reason is not one that passes */
#define WASTED_PAGES (3 * PROFILE_PAGES) /* the same when so many pages were copied for them */
#define WORTH 8               /* after that: so many rewinds for each of them */
#define FRESH 4               /* processes that wrote to new pages, before pages are copied that none wrote to yet */
#define FAULT_TICKS 2000u     /* at least, for each page that an execution writes to after a fork */
#define LIFE 3                /* a process costs so many times what the call of fork does: start, end, wait */
#define ENOUGH 16             /* rewinds before they are compared with forks */
#define TRIAL 8               /* rewinds before comparing is compared with watching */
#define WATCH_FROM 256u       /* pages in long runs: fewer are compared in no time */
#define WATCH_BELOW 8         /* watched when fewer than one in so many is written to, */
#define WATCH_ABOVE 4         /* no more when more than one in so many is */
#define LONG_ONES 4           /* executions in a row that take so long that they had better not be repeated from the start */

void policy_forked(uint64_t took)
{
	uint64_t *least = &ctl_session->ctl.fork_ticks;
	if (!*least || took < *least)
		*least = took;
}

static void note_why(const char *why)
{
	struct session_control *c = &ctl_session->ctl;
	size_t n = strlen(why) < SESSION_MESSAGE ? strlen(why) : SESSION_MESSAGE - 1;
	memcpy(c->rewind_why, why, n);
	c->rewind_why[n] = 0;
}

void policy_stop(const char *why)
{
	note_why(why);
	ctl_session->ctl.rewind_off = 1;
}

void worth_gave_up(const struct copied *c, enum policy_cause cause, const char *why)
{
	profile->gave_up++;
	profile->wasted += c->n;
	if (cause == POLICY_NEW_PAGES && ++profile->fresh % FRESH == 0)
		profile->widen = true;
	if (cause == POLICY_STAYS) { /* the others are only a matter of learning, at first */
		note_why(why);
		profile->tainted++;
	}
	bool enough = profile->gave_up >= SHOTS || profile->tainted >= TAINTED_SHOTS || profile->wasted >= WASTED_PAGES;
	if (enough && ctl_session->ctl.rewound < profile->gave_up * WORTH)
		policy_stop(why);
}

/* Of much memory that some execution writes to each may write to little. A fork copies what is written to, a rewind looks at all of it that
   is not watched. (What is watched had a page fault in either case.) The fastest of each is what counts: others were interrupted. */
static void compare_with_fork(struct worth *w, const struct copied *c, uint64_t took, uint64_t dirty)
{
	if (c->n < KNOWN_MANY)
		return;
	w->ticks = !w->compared || took < w->ticks ? took : w->ticks;
	w->fork_ticks += ctl_session->ctl.fork_ticks * LIFE + dirty * FAULT_TICKS;
	if (++w->compared % ENOUGH == 0 && w->ticks * w->compared > w->fork_ticks)
		policy_stop("write to little of much memory, not always the same");
}

/* A process forked in the middle of an execution need not repeat what came before (snapshot.h); memory can only be put back to the
   start. */
static void compare_with_snapshots(struct worth *w, uint64_t lasted)
{
	bool better = ctl_session->config.isolation == ISOLATION_AUTO && snapshot_pays(lasted);
	w->long_ones = better ? w->long_ones + 1 : 0;
	if (w->long_ones == LONG_ONES)
		policy_stop("take long: they start in the middle, from snapshots");
}

void policy_rewound(struct worth *w, const struct copied *c, uint64_t took, uint64_t dirty, uint64_t lasted)
{
	w->dirty += c->watched ? c->written : dirty;
	w->rounds++;
	compare_with_fork(w, c, took, dirty);
	compare_with_snapshots(w, lasted);
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
