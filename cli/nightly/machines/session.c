/* What happens while a shared search runs, and at its end: see machines.h. */
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cli/base/proc_text.h"
#include "cli/base/say.h"
#include "cli/nightly/machines/fine.h"
#include "cli/nightly/machines/machines_internal.h"
#include "cli/nightly/machines/probe.h"
#include "cli/segment/segment_for_target.h"
#include "cli/segment/segment_keep.h"
#include "cli/supervise/watchdog.h"

#define LOOK_NS (NS_PER_S / 2)    /* the longest time between two looks at the database; a lease lasts 20 times as long */
#define IDLE_LOOK_NS (NS_PER_S / 10)
#define NEAR_LOOK_NS (NS_PER_S / 20) /* the shortest one, where the database is near */
#define LOOKS_COST 50             /* a look takes one part in this many of the time */
#define KEEP_TIMES 20             /* a worker keeps the common part for this many times as long as storing it takes, */
#define KEEP_NS (NS_PER_S / 10)   /* but not longer */
#define STORE_NS (2 * NS_PER_S)   /* the longest time between two commits of a worker */
#define MEASURE_NS (2 * NS_PER_S) /* how long the rate of a worker is measured */

static enum machines_says again(struct machines *m)
{
	if (m->locked)
		engine_rollback(m->store.engine);
	m->locked = false;
	m->lost = true;
	return MACHINES_AGAIN;
}

static void wake(uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void ask_for_pause(struct machines *m)
{
	shared_store(&control_of(m)->requests.pause_request, 1);
	if (control_of(m)->requests.shared_search)
		wake(explore_wakeup(segment_common_search(&m->search->seg)));
}

/* Records in the database that no machine can help this one. */
static enum machines_says say_single(struct machines *m)
{
	m->single = true;
	if (!m->search->opt.quiet)
		say("--search: this machine explores alone: %s", m->search->workers.why);
	return store_begin_again(&m->store, m->search->workers.why) ? MACHINES_GO_ON : again(m);
}

static enum machines_says look_alone(struct machines *m)
{
	struct store_view view;

	if (!store_look(&m->store, &view) || !view.valid)
		return again(m);
	return m->search->workers.given_up && !m->single ? say_single(m) : MACHINES_GO_ON;
}

/* Says once when the executions of this worker are too short to be shared. */
static void measure(struct machines *m, uint64_t now)
{
	struct explore_stats stats;
	double seconds = (double)(now - m->fine_ns) / (double)NS_PER_S;
	char text[256];

	if (m->said_fine || m->search->opt.quiet || (m->fine_ns && now - m->fine_ns < MEASURE_NS))
		return;
	segment_stats(&m->search->seg, &stats);
	if (m->fine_ns && stats.executions > m->fine_executions) {
		seconds /= (double)(stats.executions - m->fine_executions);
		m->said_fine = fine_is(seconds);
		fine_text(text, sizeof(text), seconds);
	}
	if (m->said_fine)
		say("--search: %s", text);
	m->fine_ns = now;
	m->fine_executions = stats.executions;
}

static enum machines_says look_shared(struct machines *m, bool idle)
{
	struct store_view view;
	bool clash = false, ok;

	if (!store_look(&m->store, &view) || !view.valid)
		return again(m);
	m->others = view.others;
	m->others_blocked = view.others_blocked;
	measure(m, wall_clock_ns());
	if (view.stop && !m->search->opt.keep_going)
		return MACHINES_STOP;
	if (m->search->opt.executions && m->others + m->stored_executions >= m->search->opt.executions)
		return MACHINES_BUDGET;
	if (idle && view.version != m->store.version && !shared_load(&control_of(m)->handshake.common_wanted)) {
		ok = engine_begin(m->store.engine) && store_fetch(&m->store, &m->replica, &clash) && !clash;
		engine_rollback(m->store.engine);
		if (!ok)
			return again(m);
		wake(explore_wakeup(segment_common_search(&m->search->seg)));
	} else if (!idle && view.version != m->store.version) {
		m->behind = true;
		ask_for_pause(m);
	} else if (idle && view.spare) {
		m->leaves = true;
		ask_for_pause(m);
	}
	return MACHINES_GO_ON;
}

/* The worker has made the executions that were reserved for it. */
static enum machines_says reserve(struct machines *m, uint64_t now)
{
	struct session_control *ctl = control_of(m);
	struct explore_stats stats;
	uint64_t may;
	bool over;

	if (!store_reserve(&m->store, m->search->opt.executions, &may, &over))
		return again(m);
	if (over)
		return MACHINES_BUDGET;
	if (may > ctl->requests.may) {
		__atomic_store_n(&ctl->requests.may, may, __ATOMIC_RELEASE);
		shared_store(&ctl->handshake.budget_wanted, 0);
		wake(explore_wakeup(segment_common_search(&m->search->seg)));
		return MACHINES_GO_ON;
	}
	m->asked_ns = now;
	segment_stats(&m->search->seg, &stats);
	if (stats.executions != m->stored_executions) /* the others wait until all are stored */
		ask_for_pause(m);
	return MACHINES_GO_ON;
}

/* Returns whether more was reserved for a worker without work than it has made: others may need it. */
static bool hoards(const struct machines *m)
{
	struct explore_stats stats;

	segment_stats(&m->search->seg, &stats);
	return m->search->opt.executions && control_of(m)->requests.may > stats.executions;
}

/* Returns how long the supervisor waits between two looks: a look must not cost much of the time. */
static uint64_t between_looks(const struct machines *m, bool idle)
{
	uint64_t most = idle ? IDLE_LOOK_NS : LOOK_NS, least = NEAR_LOOK_NS, by_cost = m->look_ns * LOOKS_COST;

	return m->alone || by_cost > most ? most : by_cost < least ? least : by_cost;
}

static enum machines_says on_turn(void *ctx)
{
	struct machines *m = ctx;
	struct session_control *ctl = control_of(m);
	uint64_t now = wall_clock_ns();
	bool idle = worker_is_idle(m);
	enum machines_says says;

	if (m->locked) { /* until the worker pauses, which it does by itself unless it waits or its execution takes long */
		bool waits = idle || shared_load(&ctl->handshake.budget_wanted) || now - m->locked_ns > KEEP_NS;

		if (waits && !shared_load(&ctl->requests.pause_request))
			ask_for_pause(m);
		return MACHINES_GO_ON;
	}
	if (!m->alone && shared_load(&ctl->handshake.common_wanted)) {
		if (!commit_lock(m))
			return again(m);
		shared_store(&ctl->handshake.common_wanted, 0);
		m->locked_ns = wall_clock_ns();
		ctl->requests.keep_ns = m->store_ns * KEEP_TIMES < KEEP_NS ? m->store_ns * KEEP_TIMES : KEEP_NS;
		shared_store(&ctl->requests.common_granted, 1);
		wake(&ctl->requests.common_granted);
		return MACHINES_GO_ON;
	}
	if (!results_store_bugs(m, !m->search->opt.keep_going))
		return again(m);
	if (!m->alone && !idle && now - m->stored_ns > STORE_NS && m->checked)
		ask_for_pause(m);
	if (!m->alone && shared_load(&ctl->handshake.budget_wanted) && now - m->asked_ns > IDLE_LOOK_NS)
		return reserve(m, now);
	if (!m->alone && idle && hoards(m))
		ask_for_pause(m);
	if (now - m->looked_ns < between_looks(m, idle))
		return MACHINES_GO_ON;
	m->looked_ns = now;
	says = m->alone ? look_alone(m) : look_shared(m, idle);
	m->look_ns = wall_clock_ns() - now;
	return says;
}

/* The target is at its checkpoint: compares its addresses with those of the machine that began the search. */
static bool check(struct machines *m)
{
	const struct session_pool *now = &m->search->seg.session->pool;
	char *maps;
	bool same;

	m->checked = true;
	segment_set_early_counts(&m->search->seg, m->uncontrolled, m->native_children);
	maps = proc_text_maps(m->search->workers.w[0]->pid);
	same = m->maps && proc_text_same_addresses(m->maps, maps, m->search->sup.text, sizeof(m->search->sup.text));
	free(maps);
	for (uint32_t i = 0; same && i < m->pool.n && i < SESSION_POOL; i++) {
		same = i < now->n && now->thread[i].stack_at == m->pool.thread[i].stack_at;
		if (!same)
			text_set(m->search->sup.text, sizeof(m->search->sup.text), "the thread stacks are not where they are on the machine that began the search");
	}
	return same;
}

static enum machines_says on_paused(void *ctx)
{
	struct machines *m = ctx;
	uint64_t begun;
	bool common;

	if (!m->checked && !check(m))
		return MACHINES_REFUSE;
	if (!segment_can_keep(&m->search->seg))
		return MACHINES_GO_ON; /* it will pause again */
	if (m->leaves && worker_is_idle(m)) {
		commit_retired(m);
		return again(m);
	}
	m->leaves = false;
	begun = wall_clock_ns();
	common = m->locked;
	if ((m->behind && !m->locked && !commit_lock(m)) || !commit_all(m, SLOT_KEPT))
		return again(m);
	if (common)
		m->store_ns = wall_clock_ns() - begun;
	m->behind = false;
	shared_store(&control_of(m)->requests.common_granted, 0);
	return probe_store(m) ? MACHINES_GO_ON : again(m);
}

/* For tests: waits until that many machines have joined, so that none comes too late. */
static void await_machines(struct machines *m)
{
	const struct timespec moment = {.tv_nsec = 20000000};
	const char *text = getenv("SIMUL_TEST_MACHINES");
	size_t wanted = text ? strtoul(text, NULL, 10) : 0, n = 0;

	for (unsigned i = 0; n < wanted && i < 1000; i++) {
		char (*slot)[UUID] = NULL;

		if (engine_begin(m->store.engine) && !store_slots(&m->store, &slot, &n))
			n = wanted;
		engine_rollback(m->store.engine);
		free(slot);
		nanosleep(&moment, NULL);
	}
}

static enum machines_says on_publish(void *ctx)
{
	struct machines *m = ctx;
	struct identity id;
	bool ok = false, done;

	free(m->maps);
	m->maps = proc_text_maps(m->search->workers.w[0]->pid);
	identity_make(&id, m->search, m->maps);
	uuid_random(m->store.token);
	done = engine_begin(m->store.engine) && store_publish(&m->store, &id, m->maps, &ok) && ok && store_new_slot(&m->store) &&
	       commit_pages(m, true, SLOT_KEPT);
	identity_free(&id);
	if (!done) {
		engine_rollback(m->store.engine);
		return again(m);
	}
	m->alone = false;
	m->checked = m->probed = true;
	if (!probe_store(m))
		return again(m);
	await_machines(m);
	return MACHINES_GO_ON;
}

static enum machines_says on_restart(void *ctx, const char *why)
{
	struct machines *m = ctx;

	if (m->locked)
		engine_rollback(m->store.engine);
	m->locked = false;
	if (!store_begin_again(&m->store, why))
		return again(m);
	replica_close(&m->replica);
	if (!replica_open(&m->replica, &m->search->seg))
		return again(m);
	control_of(m)->handshake.common_wanted = control_of(m)->requests.common_granted = 0;
	m->alone = true;
	m->single = why != NULL;
	m->checked = true;
	return MACHINES_GO_ON;
}

/* ---- the end ---- */

/* Stores the state of a search that this machine explored alone, so that another one can continue it. */
static bool store_alone(struct machines *m)
{
	struct identity id;
	bool ok = false, done;

	uuid_random(m->store.token);
	identity_make(&id, m->search, m->search->maps);
	done = engine_begin(m->store.engine) && store_leave_alone(&m->store, &id, m->search->maps, &ok) && ok && store_new_slot(&m->store) &&
	       commit_pages(m, search_is_over(m), SLOT_LEFT);
	identity_free(&id);
	if (!done)
		engine_rollback(m->store.engine);
	return done;
}

/* Stores the final state here. false: it is not valid. */
static bool store_end(struct machines *m)
{
	if (m->alone)
		return store_alone(m);
	return worker_is_idle(m) && !search_is_over(m) ? commit_retired(m) : commit_all(m, SLOT_LEFT);
}

/* The counts and bugs of other machines are unknown, so there is no verdict. */
static void end_without_results(struct machines *m)
{
	m->search->sup.end = SESSION_REFUSED;
	text_set(m->search->sup.text, sizeof(m->search->sup.text), "%s; the next run continues with what was stored",
		engine_is_lost(m->store.engine) ? "the connection to the database was lost" : "the results of other machines could not be read");
}

static void on_end(void *ctx)
{
	struct machines *m = ctx;
	struct supervision *sup = &m->search->sup;
	bool over = sup->end == SESSION_OVER;
	bool stands = (over || sup->end == SESSION_STOPPED) && !sup->killed && segment_can_keep(&m->search->seg);

	if (sup->end == SESSION_AGAIN)
		return;
	if (stands && !engine_is_lost(m->store.engine) && store_end(m)) {
		results_store_bugs(m, !m->search->opt.keep_going);
	} else {
		if (m->locked)
			engine_rollback(m->store.engine);
		m->locked = false;
		results_store_bugs(m, !m->search->opt.keep_going);
		if (over && !engine_is_lost(m->store.engine)) {
			sup->end = SESSION_AGAIN; /* what was explored since the last commit counts nowhere */
			return;
		}
		store_leave(&m->store);
	}
	if (engine_is_lost(m->store.engine) || (!m->alone && !results_add_counts(m)) || !results_load_bugs(m))
		end_without_results(m);
}

void machines_watch(struct machines *m)
{
	static const struct machines_ops ops = {.turn = on_turn, .paused = on_paused, .publish = on_publish, .restart = on_restart};

	m->search->sup.keep_ctx = m;
	m->search->sup.machines = &ops;
	m->search->sup.on_end = on_end;
}
