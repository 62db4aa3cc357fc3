#include "preload/life/warm_up.h"

#include <sys/mman.h>

#include "explore/config.h"
#include "explore/explore.h"
#include "preload/control/ctl.h"
#include "preload/base/sys.h"
#include "preload/control/step_loop.h"
#include "preload/life/run.h"
#include "preload/memory/data_races.h"
#include "preload/memory/repeat.h"
#include "preload/memory/round_state.h"
#include "sched/await.h"
#include "sched/repeats.h"
#include "sched/memory.h"
#include "sched/section.h"
#include "preload/base/rules.h"

#define QUIET 24             /* warm-up ends after this many successive random executions without news */
#define PATIENCE 2           /* each restart of the search adds this many to QUIET */
#define QUIET_LONG 4         /* replaces this sum for executions of more than LONG events */
#define LONG 20000
#define MOST 1000            /* most random executions in a row */
#define MOST_RANDOM 5000     /* random executions that are always allowed; more may be at most half of all executions */
#define MOST_RESTARTS 500    /* a program with more probably shares memory whose address depends on the schedule */
#define MOST_GIVEN_UP 50000  /* after LEAST_RESTARTS: executions of the warm-up and of searches that were given up */
#define LEAST_RESTARTS 16
#define MORE_RESTARTS 32     /* after that, limit on restarts for memory that turns out to be shared */

static struct memory_table *memory(void)
{
	return ctl_segment(ctl_session->layout.memory_off);
}

static struct await_table *awaits(void)
{
	return ctl_segment(ctl_session->layout.await_off);
}

/* Returns whether the execution needed more threads than the pool had. A larger pool changes addresses, so the search restarts with it. If
   a search already has results, only workers and the warm-up restart it. */
static bool pool_news(void)
{
	const struct session *s = ctl_session;
	if (s->ctl.requests.shared_search)
		return s->pool.n != s->ctl.execution.pool_parked; /* each worker would lay out the new threads differently */
	bool first = !s->ctl.warm_up.restarts && explore_stats(ctl_segment(s->layout.explore_off))->executions == 0;
	return s->pool.n != s->ctl.execution.pool_parked && (first || s->ctl.warm_up.running);
}

/* Returns whether the program used regions that the search does not know. The search restarts with them. So does a sampling search, because
   all its samples must use the same rules. */
static bool region_news(void)
{
	return ctl_session->ctl.discoveries.regions != ctl_session->ctl.discoveries.applied_regions;
}

/* Returns whether the loops with a limit are not those that the search uses. */
static bool limit_news(void)
{
	return round_limits()->changes != round_limits()->applied;
}

/* Returns whether it became known that children of fork look at what other threads change. True at most once. */
static bool fork_news(void)
{
	return ctl_session->ctl.discoveries.fork_sees != ctl_session->ctl.discoveries.applied_fork_sees;
}

/* Returns whether children of fork have read bytes that the forks of earlier executions did not count as read. */
static bool child_news(void)
{
	return ctl_session->child_reads.changes != ctl_session->ctl.discoveries.applied_child_reads;
}

static struct section_table *sections(void)
{
	return ctl_segment(ctl_session->layout.sections_off);
}

/* Returns whether a worker of a shared search met a new page. Workers that give each other work must agree on the
   numbers of pages, so they restart. */
static bool page_news(void)
{
	return ctl_session->ctl.requests.shared_search && !explore_samples(ctl_session->config.strategy) &&
	       memory()->n != ctl_session->ctl.requests.pages_when_shared;
}

/* Returns whether this number of successive random executions without news ends the warm-up. They must be at least half of its executions:
   a program may have many spin loops (each ticket of a ticket lock is one, since the state holds the ticket), and random executions find
   them at the least cost. After each restart the number grows, because a search that met news will probably meet more. */
static bool quiet_enough(uint32_t quiet)
{
	uint64_t so_far = explore_stats(ctl_segment(ctl_session->layout.explore_off))->executions;
	if (ctl_trace.n > LONG)
		return quiet >= QUIET_LONG || so_far >= MOST;
	return (quiet >= QUIET + PATIENCE * ctl_session->ctl.warm_up.restarts && 2 * (uint64_t)quiet >= so_far) || so_far >= MOST;
}

/* Returns whether this number of random executions may run before the next search. The limit matters if each search finds something that no
   random execution has found: without it, most executions would be random ones. */
static bool may_warm_up(uint64_t random)
{
	return random <= MOST_RANDOM || 2 * random <= ctl_session->ctl.execution.executions_started;
}

/* Returns whether the warm-up ends after these numbers of successive random executions without news, and of all random executions. */
static bool enough(uint32_t quiet, uint64_t random)
{
	return quiet_enough(quiet) || !may_warm_up(random);
}

/* Returns whether calls that the search takes as one step are to be explored as code. Not applied in the middle of an execution: another worker may have refused them. */
static bool refusal_news(void)
{
	return ctl_session->ctl.discoveries.calls_refused != ctl_session->ctl.discoveries.applied_calls_refused;
}

/* Returns whether it became known that the order of a module's children matters. True at most once. */
static bool children_news(void)
{
	return ctl_session->ctl.discoveries.children_listed != ctl_session->ctl.discoveries.applied_children_listed;
}

/* Returns whether the search must begin again because it watches more words on which processes race: executions before
   have not looked at them. Only a bug needs that (preload/memory/watched.h). */
static bool watched_news(void)
{
	const struct session *s = ctl_session;
	return s->config.settings.fail_on_race && races_watched() != s->ctl.discoveries.applied_watched;
}

bool warm_up_news(void)
{
	const struct session_control *c = &ctl_session->ctl;
	if (ctl_session->config.mode != MODE_EXPLORE)
		return false;
	/* the end of the warm-up also counts: it changes the strategy, and every process has to attach to the new one */
	return (c->warm_up.running && enough(c->warm_up.quiet + 1, c->warm_up.random + 1)) ||
	       memory()->changes != c->discoveries.applied_memory ||
	       awaits()->changes != c->discoveries.applied_awaits || pool_news() || page_news() || region_news() || limit_news() ||
	       fork_news() || child_news() || refusal_news() || children_news() || watched_news();
}

bool warm_up_settled(void)
{
	const struct session_control *c = &ctl_session->ctl;
	if (ctl_session->config.mode != MODE_EXPLORE)
		return true;
	return !c->warm_up.running && awaits()->changes == c->discoveries.applied_awaits && !region_news() && !limit_news();
}

/* The memory after the part that a search uses must stay unwritten, as the supervisor detects writes of the program that way
   (segment_written). So the part that the last search used is cleared. */
static void sweep(void)
{
	struct session *s = ctl_session;
	uint64_t used = (explore_used(ctl_segment(s->layout.explore_off)) + SESSION_PAGE - 1) & -(uint64_t)SESSION_PAGE;
	if (used > s->layout.explore_size)
		used = s->layout.explore_size & -(uint64_t)SESSION_PAGE;
	if (sys_call3(SYS_madvise, (long)ctl_segment(s->layout.explore_off), (long)used, MADV_REMOVE))
		s->ctl.warm_up.unswept = 1;
}

/* Returns whether a bug was handed over already. */
static bool failed_before(const struct session *s)
{
	for (uint32_t i = 0; i < s->signatures && i < SESSION_SIGNATURES; i++)
		if (s->seen[i].handed_over)
			return true;
	return false;
}

static bool start_search(bool warm_up)
{
	struct session *s = ctl_session;
	const void *before = ctl_segment(s->layout.explore_off);
	if (!warm_up && repeat_allowed())
		repeats_apply(awaits());
	if (!s->ctl.warm_up.running) {
		s->ctl.warm_up.samples += explore_stats(before)->samples;
		s->ctl.warm_up.outlook = explore_expected(before);
	}
	struct explore_config config = explore_config_of(&s->config);
	if (s->config.strategy != STRATEGY_AUTO || warm_up)
		config.seed += s->ctl.warm_up.restarts;
	if (s->config.sections) { /* steps are searched as atomic regions are */
		s->ctl.discoveries.regions = sections_start(sections(), !warm_up) ? REGION_SECTIONS : 0;
		s->ctl.discoveries.applied_regions = s->ctl.discoveries.regions;
	}
	config.regions = s->ctl.discoveries.applied_regions;
	config.samples_before = s->ctl.warm_up.samples;
	config.outlook = s->ctl.warm_up.outlook;
	config.failed_before = failed_before(s);
	config.forks = s->ctl.discoveries.applied_fork_sees;
	if (warm_up) {
		config.strategy = STRATEGY_RANDOM;
		config.exploratory = 1;
		config.max_executions = config.certify = config.keep_passing = 0;
	}
	s->ctl.discoveries.regions_begun = 0;
	s->ctl.facts.cut_short = 0;
	s->ctl.rewind.restored_events = 0;
	s->ctl.facts.circles = (struct session_circles){ 0 };
	s->ctl.facts.time_forced = 0;
	s->ctl.facts.ran_on = s->ctl.facts.endless = 0;
	round_limits()->used = endless_limits()->used = 0;
	s->ctl.warm_up.restarts++;
	s->ctl.warm_up.quiet = 0;
	s->ctl.execution.flight = FLIGHT_NONE;
	for (unsigned i = 0; i < SESSION_SIGNATURES; i++)
		s->seen[i] = (struct session_sighting){ .signature = s->seen[i].signature, .handed_over = s->seen[i].handed_over };
	sweep();
	config.zeroed = !s->ctl.warm_up.unswept;
	const struct forced_step *guide = ctl_segment(s->layout.forced_off);
	bool created = explore_create(&config, ctl_segment(s->layout.explore_off), s->layout.explore_size);
	/* not earlier: the supervisor would take the executions of the warm-up for those of the search */
	__atomic_store_n(&s->ctl.warm_up.running, warm_up, __ATOMIC_RELEASE);
	return created &&
	       (!config.certify || !s->layout.forced_cap ||
		       explore_guide(ctl_segment(s->layout.explore_off), guide, (uint32_t)s->layout.forced_cap)) &&
	       explore_attach(ctl_segment(s->layout.explore_off), s->layout.explore_size, &run_strategy);
}

/* Returns whether the search must go on with what it knows: the news have cost too much already. Each restart gives up all executions so far. */
static bool given_up_enough(void)
{
	const struct session_control *c = &ctl_session->ctl;
	uint64_t given_up = c->warm_up.executions + explore_stats(ctl_segment(ctl_session->layout.explore_off))->executions;
	return c->warm_up.restarts >= MOST_RESTARTS || (c->warm_up.restarts >= LEAST_RESTARTS && given_up >= MOST_GIVEN_UP);
}

/* Makes all executions of this search warm-up executions, including the one that has just ended. */
static void discount(void)
{
	struct session *s = ctl_session;
	s->ctl.warm_up.executions += explore_stats(ctl_segment(s->layout.explore_off))->executions + 1;
}

static void take_news(void)
{
	struct session_control *c = &ctl_session->ctl;
	memory_apply(memory());
	c->discoveries.applied_memory = memory()->changes;
	c->discoveries.applied_awaits = awaits()->changes;
	c->discoveries.applied_regions = c->discoveries.regions;
	c->discoveries.applied_fork_sees = c->discoveries.fork_sees;
	c->discoveries.applied_child_reads = ctl_session->child_reads.changes;
	if (refusal_news())
		c->facts.one_step = 0;
	c->discoveries.applied_calls_refused = c->discoveries.calls_refused;
	c->discoveries.applied_children_listed = c->discoveries.children_listed;
	c->discoveries.applied_watched = races_watched();
	round_limits()->applied = round_limits()->changes;
	sections_apply(sections());
}

/* Counts a random execution that has ended. Returns whether the warm-up had enough of them. warm_up_news must have said so before. */
static bool count_random(bool news)
{
	struct session_control *c = &ctl_session->ctl;
	c->warm_up.quiet = news ? 0 : c->warm_up.quiet + 1;
	c->warm_up.random++;
	return enough(c->warm_up.quiet, c->warm_up.random);
}

bool warm_up_restart(void)
{
	struct session_control *c = &ctl_session->ctl;
	if (c->requests.shared_search)
		run_hand_over(STATE_RESTARTED);
	c->warm_up.executions += explore_stats(ctl_segment(ctl_session->layout.explore_off))->executions;
	take_news();
	return start_search(c->warm_up.running);
}

bool warm_up_ended(void)
{
	struct session *s = ctl_session;
	if (s->config.mode != MODE_EXPLORE)
		return false;
	bool pool = pool_news();
	bool forks = fork_news();
	bool visible = memory()->changes != s->ctl.discoveries.applied_memory || awaits()->changes != s->ctl.discoveries.applied_awaits ||
		       forks || child_news() || refusal_news() || children_news();
	bool regions = region_news(); /* true at most twice */
	bool limits = limit_news(); /* true a few times for each place of the table */
	bool news = pool || visible || watched_news() || page_news() || regions || limits || sections_news(sections());
	bool last = news && !regions && !limits && !forks && given_up_enough();
	if (last) {
		s->ctl.warm_up.unsettled = 1;
		if (awaits()->frozen && s->ctl.warm_up.restarts >= awaits()->frozen + MORE_RESTARTS) {
			s->ctl.discoveries.applied_memory = memory()->changes; /* the search ignores the news from now on */
			s->ctl.discoveries.applied_child_reads = s->child_reads.changes;
			return false;
		}
		if (!awaits()->frozen)
			awaits()->frozen = s->ctl.warm_up.restarts + 1; /* news of loops may never end; shared memory may be where the bug is */
	}
	/* earlier samples stay valid */
	bool goes_on = explore_samples(s->config.strategy) && !pool && !regions && !limits;
	if (news && !goes_on && s->ctl.requests.shared_search)
		run_hand_over(STATE_RESTARTED); /* the supervisor ends all other workers */
	if (news)
		take_news(); /* else memory that the search ignores would become visible in the middle of it */
	if (s->ctl.warm_up.running) {
		if (!count_random(news) && !last)
			return false;
		discount();
		return start_search(false);
	}
	if (!news)
		return false;
	if (goes_on) {
		explore_more_events(ctl_segment(s->layout.explore_off));
		return false;
	}
	discount();
	bool warm_up = visible && !awaits()->frozen && !explore_samples(s->config.strategy) && may_warm_up(s->ctl.warm_up.random);
	return start_search(warm_up);
}
