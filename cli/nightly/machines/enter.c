/* Joining a search: see machines.h. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/xalloc.h"
#include "cli/base/interrupt.h"
#include "cli/base/say.h"
#include "cli/nightly/machines/machines_internal.h"
#include "cli/nightly/machines/probe.h"
#include "cli/segment/segment_keep.h"
#include "cli/supervise/watchdog.h"

#define WAIT_NS (NS_PER_S / 5) /* between two attempts while another machine prepares the search */
#define DAMAGED "the stored search is damaged; use another database, or delete all searches (DROP SCHEMA simul_search CASCADE)"
#define ATTEMPTS 40            /* to join or to store, without success */

static bool refuse(const char *why)
{
	say("--search: %s", why);
	return false;
}

/* Says why a transaction failed. */
static enum machines_entry fail(struct machines *m)
{
	if (m->replica.damaged)
		refuse(DAMAGED);
	else if (!engine_is_lost(m->store.engine))
		refuse(engine_why(m->store.engine));
	return MACHINES_FAILED;
}

/* Gives the program the environment that the search began with. */
static bool restore_environment(struct machines *m, const struct store_entry *entry)
{
	char why[1200], note[256];

	if (!identity_same(&m->identity, entry->identity, entry->identity_size, why, sizeof(why)))
		return refuse(why);
	m->search->target.env = m->env;
	m->search->target.stack_limit = m->stack_limit;
	identity_restore_free(&m->restored);
	m->restored = (struct restored){.env = NULL};
	if (!identity_restore(&m->restored, &m->search->target, entry->identity, entry->identity_size, note, sizeof(note), why, sizeof(why)))
		return refuse(why);
	if (note[0] && !m->search->opt.quiet && !m->said_environment)
		say("note: the program runs with the environment of the machine that began the search; different here: %s", note);
	m->said_environment |= note[0] != 0;
	return true;
}

/* Reads a slot into the run's segment, inside a transaction. */
static bool load_slot(struct machines *m, const char *slot, bool *ok)
{
	return store_read_slot(&m->store, slot, &m->replica, ok);
}

/* Returns whether the search that was loaded, and the common part that it names, are where they are here. */
static bool fits_common(const struct machines *m)
{
	const struct segment *seg = &m->search->seg;
	bool joined = explore_worker(search_of(m)) != 0;

	return joined == (control_of(m)->requests.shared_search != 0) &&
		explore_common_fits(search_of(m), segment_common_search(seg), seg->layout.common_search_size);
}

/* Prepares what was loaded for supervise(). false: it is damaged. */
static bool go_on(struct machines *m)
{
	struct session_control *ctl = control_of(m);
	struct explore_stats stats;

	if (!segment_go_on(&m->search->seg, &m->search->config, false) || !fits_common(m)) {
		m->replica.damaged = true;
		return false;
	}
	segment_limit(&m->search->seg, m->search->opt.executions, 0);
	segment_stats(&m->search->seg, &stats);
	ctl->requests.may = stats.executions;
	ctl->handshake.common_wanted = ctl->requests.common_granted = ctl->handshake.budget_wanted = 0;
	m->search->config.settings.start_time = m->search->seg.session->config.settings.start_time;
	m->pool = m->search->seg.session->pool;
	m->uncontrolled = ctl->facts.uncontrolled;
	m->native_children = ctl->facts.native_children;
	return true;
}

/* Makes this worker one of a search with the warm-up results of any other slot, and joins it. */
static bool join(struct machines *m, const char *any, bool *ok)
{
	struct segment other;
	struct replica copy;
	char why[512];

	if (!segment_create(&other, &m->search->config, m->search->opt.memory, 0, m->search->opt.patch.value, m->search->workers.common, why, sizeof(why))) {
		*ok = refuse(why);
		return true;
	}
	*ok = replica_open(&copy, &other);
	if (*ok && !store_read_slot(&m->store, any, &copy, ok)) {
		replica_close(&copy);
		segment_close(&other);
		return false;
	}
	if (*ok) {
		segment_copy_known(&m->search->seg, &other);
		m->search->seg.session->config.settings.start_time = other.session->config.settings.start_time;
		control_of(m)->requests.shared_search = 1;
		m->pool = m->search->seg.session->pool;
		*ok = explore_join(search_of(m), segment_common_search(&m->search->seg),
			m->search->seg.layout.common_search_size, false);
		m->replica.damaged |= *ok && !fits_common(m);
		*ok = *ok && !m->replica.damaged;
	}
	replica_close(&copy);
	segment_close(&other);
	return true;
}

/* Takes a slot of a shared search, or adds one. *ok: false when the search has changed meanwhile. */
static bool take_part(struct machines *m, bool *ok)
{
	char (*slot)[UUID] = NULL;
	bool clash = false, done;
	size_t n = 0;

	uuid_random(m->store.token);
	m->store.slot[0] = 0;
	done = store_lock(&m->store, ok) && (!*ok || (store_fetch(&m->store, &m->replica, &clash) && store_take_slot(&m->store)));
	if (!done || !*ok || clash) {
		*ok = *ok && !clash;
		return done;
	}
	if (m->store.slot[0]) {
		done = load_slot(m, m->store.slot, ok);
		*ok = done && *ok && go_on(m);
	} else {
		done = store_slots(&m->store, &slot, &n) && store_new_slot(&m->store);
		m->replica.damaged |= done && !n; /* the search was shared together with a slot */
		*ok = done && n;
		done = done && (!n || join(m, slot[0], ok));
	}
	free(slot);
	return done && (!*ok || commit_pages(m, true, SLOT_KEPT));
}

/* Ends a transaction that only read, or that failed. */
static enum machines_entry end_reading(struct machines *m, bool ok)
{
	engine_rollback(m->store.engine);
	if (ok)
		return MACHINES_ENTERED;
	return m->replica.damaged || engine_is_lost(m->store.engine) ? fail(m) : MACHINES_RETRY;
}

static enum machines_entry enter_shared(struct machines *m)
{
	bool ok = false;

	if (!probe_pass(m))
		return MACHINES_FAILED;
	if (!engine_begin(m->store.engine))
		return fail(m);
	if (take_part(m, &ok) && ok)
		return MACHINES_ENTERED;
	engine_rollback(m->store.engine);
	return m->replica.damaged || engine_is_lost(m->store.engine) ? fail(m) : MACHINES_RETRY;
}

/* Reads the first slot; *n: the number of slots. */
static bool load_first(struct machines *m, size_t *n)
{
	char (*slot)[UUID];
	bool ok = false;

	if (!store_slots(&m->store, &slot, n))
		return false;
	if (*n && load_slot(m, slot[0], &ok))
		memcpy(m->store.slot, slot[0], UUID);
	free(slot);
	return !*n || ok;
}

/* Loads the only slot of a search that one machine explored and left, if there is one. */
static enum machines_entry enter_alone(struct machines *m)
{
	enum machines_entry how;
	size_t n = 0;

	m->alone = true;
	if (!engine_begin(m->store.engine))
		return fail(m);
	how = end_reading(m, load_first(m, &n));
	m->store.slot[0] = 0; /* this machine writes another one when it leaves */
	return how == MACHINES_ENTERED && n && !go_on(m) ? fail(m) : how;
}

/* Everything was explored before: loads all of it, so that the verdict can be given again. */
static enum machines_entry enter_over(struct machines *m)
{
	enum machines_entry how;
	bool clash, added;
	size_t n = 0;

	if (!engine_begin(m->store.engine))
		return fail(m);
	how = end_reading(m, store_fetch(&m->store, &m->replica, &clash) && !clash && load_first(m, &n));
	if (how != MACHINES_ENTERED)
		return how;
	m->replica.damaged |= !n;
	if (!n || !go_on(m))
		return fail(m);
	workers_begin(&m->search->workers, &m->search->seg, &m->search->capture);
	added = results_add_counts(m);
	workers_end(&m->search->workers);
	if (!added)
		return MACHINES_FAILED;
	m->search->sup.end = SESSION_OVER;
	m->over = true;
	return MACHINES_ENTERED;
}

/* ---- entering ---- */

/* Begins with a copy of an empty search. Its thread names have T0 on every machine, which need not be stored. */
static bool open_replica(struct machines *m)
{
	struct replica_pages names;

	replica_close(&m->replica);
	if (!replica_open(&m->replica, &m->search->seg))
		return refuse("no memory for a copy of the search");
	replica_changed(&m->replica, true, &names);
	replica_stored(&m->replica, &names);
	replica_free(&names);
	return true;
}

static enum machines_entry wait_for_others(struct machines *m)
{
	const struct timespec step = {.tv_nsec = WAIT_NS};
	if (!m->said_waiting && !m->search->opt.quiet)
		say("--search: waiting for the machine that began this search");
	m->said_waiting = true;
	m->attempts = 0;
	nanosleep(&step, NULL);
	if (interrupt_count())
		refuse("interrupted while another machine prepared the search");
	else if (m->search->opt.time_ns && wall_clock_ns() - m->search->start_ns > m->search->opt.time_ns)
		refuse("time is up, and the machine that started the search has not shared it yet");
	else
		return MACHINES_RETRY;
	return MACHINES_FAILED;
}

static void make_digest(struct machines *m)
{
	identity_free(&m->identity);
	identity_make(&m->identity, m->search, NULL);
	command_make(&m->command, &m->identity, m->search->target.argv);
	SHA256Data((const uint8_t *)m->identity.text, identity_fixed(&m->identity), m->digest);
}

static enum machines_entry enter(struct machines *m, const struct store_entry *entry)
{
	if (!restore_environment(m, entry))
		return MACHINES_FAILED;
	free(m->maps);
	m->maps = entry->maps ? xstrdup(entry->maps) : NULL;
	if (!results_store_bugs(m, !m->search->opt.keep_going) || !results_load_bugs(m))
		return fail(m);
	if (entry->state == STORE_OVER)
		return enter_over(m);
	if (m->findings->n && !m->search->opt.keep_going) {
		m->over = true;
		m->search->sup.end = SESSION_STOPPED;
		m->search->sup.cause = STOP_BUG;
		return MACHINES_ENTERED;
	}
	if (entry->state == STORE_SHARED)
		return enter_shared(m);
	if (entry->mine)
		return enter_alone(m);
	if (entry->state == STORE_ALONE)
		return wait_for_others(m);
	say("--search: another machine explores this program alone: %s", entry->reason);
	return MACHINES_FAILED;
}

enum machines_entry machines_enter(struct machines *m)
{
	struct store_entry entry = {.identity = NULL};
	struct store_wish wish = {m->digest, &m->identity, &m->command, !m->search->opt.keep_going, m->search->opt.time_ns, m->search->opt.executions};
	enum machines_entry how;
	uint64_t spent = wall_clock_ns() - m->search->start_ns;

	if (!m->digest[0])
		make_digest(m);
	m->others = m->others_blocked = m->asked_ns = m->fine_ns = 0;
	m->alone = m->single = m->locked = m->checked = m->behind = m->leaves = m->lost = false;
	if (!open_replica(m))
		return MACHINES_FAILED;
	if (m->attempts++ == ATTEMPTS) {
		say("--search: the search cannot be stored: %s", engine_why(m->store.engine));
		return MACHINES_FAILED;
	}
	if (wish.time_ns)
		wish.time_ns = spent < wish.time_ns ? wish.time_ns - spent : 1;
	how = store_enter(&m->store, &wish, &entry) ? enter(m, &entry) : fail(m);
	free(entry.identity);
	free(entry.maps);
	m->looked_ns = m->stored_ns = wall_clock_ns();
	return how;
}
