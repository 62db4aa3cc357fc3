/* A search that several machines share: see machines.h. */
#include "cli/machines/machines.h"

#include <inttypes.h>
#include <limits.h>
#include <linux/futex.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/units.h"
#include "cli/base/interrupt.h"
#include "cli/base/proc_text.h"
#include "cli/base/say.h"
#include "cli/machines/replica.h"
#include "cli/machines/search_sql.h"
#include "cli/machines/store.h"
#include "cli/resume/saved_finding.h"
#include "cli/resume/state_identity.h"
#include "cli/segment/segment_keep.h"
#include "cli/supervise/watchdog.h"
#include "explore/common.h"
#include "recorder/xalloc.h"

#define LAYOUT 1
#define LOOK_NS (NS_PER_S / 2)    /* between two looks at the database; a lease lasts 20 times as long */
#define IDLE_LOOK_NS (NS_PER_S / 10)
#define STORE_NS (2 * NS_PER_S)   /* the longest time between two commits of a worker */
#define WAIT_NS (NS_PER_S / 5)

struct machines {
	struct store store;
	struct replica replica;
	struct identity identity;
	struct restored restored;
	char **env;            /* of the program, as it was given; and its stack limit */
	uint64_t stack_limit;
	char digest[SHA256_DIGEST_STRING_LENGTH];
	char *maps;            /* the memory map that the search began with; NULL: not known yet */
	struct session_pool pool; /* of the search that was loaded */
	uint32_t uncontrolled, native_children; /* as counted in what was loaded */
	uint64_t looked_ns, stored_ns;
	size_t bugs;           /* findings that are stored */
	long version;          /* of the common part in the database at the last look */
	bool alone;            /* this machine explores alone, and may publish the search */
	bool single;           /* no other machine will help */
	bool locked;           /* a transaction is open, and the target may change the common part */
	bool checked;          /* the program's addresses were compared with `maps` */
	bool behind;           /* others have changed the common part: they may wait for work */
	bool leaves;           /* a slot with work is free, and this worker has none: give its own back */
	bool over;             /* there was nothing to run */
	bool lost;             /* the state here is not valid */
};

static struct session_control *control_of(const struct run *run)
{
	return &run->seg.session->ctl;
}

static void *search_of(const struct run *run)
{
	return (char *)run->seg.session + run->seg.layout.explore_off;
}

static bool is_over(const struct run *run)
{
	return control_of(run)->shared_search ? explore_common_over(segment_common_search(&run->seg)) : workers_finished(&run->workers, &run->seg);
}

/* Returns whether the worker waits for work that another one has. */
static bool is_idle(const struct run *run)
{
	return control_of(run)->shared_search && explore_waiting(search_of(run));
}

/* ---- opening ---- */

bool machines_open(struct run *run)
{
	char why[512];
	struct machines *m;
	long version;

	if (!run->opt.search)
		return true;
	m = run->machines = xcalloc(1, sizeof(*m));
	m->env = run->target.env;
	m->stack_limit = run->target.stack_limit;
	uuid_random(m->store.self);
	if (gethostname(m->store.machine, sizeof(m->store.machine) - 1))
		text_set(m->store.machine, sizeof(m->store.machine), "unknown");
	m->store.engine = engine_open(run->opt.search, why, sizeof(why));
	if (!m->store.engine) {
		say("--search: %s", why);
		return false;
	}
	if (!engine_schema(m->store.engine, "simul_search", search_sql, &version)) {
		if (!engine_is_lost(m->store.engine))
			say("--search: %s", engine_why(m->store.engine));
		return false;
	}
	if (version != LAYOUT) {
		say("--search: another version of simul made the schema simul_search in this database (layout %ld, here %d); use another database, or "
			"DROP SCHEMA simul_search CASCADE", version, LAYOUT);
		return false;
	}
	return true;
}

void machines_close(struct run *run)
{
	struct machines *m = run->machines;

	if (!m)
		return;
	engine_close(m->store.engine);
	replica_close(&m->replica);
	identity_free(&m->identity);
	identity_restore_free(&m->restored);
	free(m->maps);
	free(m);
	run->machines = NULL;
}

bool machines_is_over(const struct run *run)
{
	return run->machines->over;
}

/* ---- entering ---- */

static bool refuse(const char *why)
{
	say("--search: %s", why);
	return false;
}

static bool failed(const struct machines *m)
{
	return engine_is_lost(m->store.engine) ? false : refuse(engine_why(m->store.engine));
}

/* Gives the program the environment that the search began with. */
static bool restore_environment(struct run *run, const struct store_entry *entry)
{
	struct machines *m = run->machines;
	char why[1200], note[256];

	if (!identity_same(&m->identity, entry->identity, entry->identity_size, why, sizeof(why)))
		return refuse(why);
	run->target.env = m->env;
	run->target.stack_limit = m->stack_limit;
	identity_restore_free(&m->restored);
	m->restored = (struct restored){NULL};
	if (!identity_restore(&m->restored, run, entry->identity, entry->identity_size, note, sizeof(note), why, sizeof(why)))
		return refuse(why);
	if (note[0] && !run->opt.quiet)
		say("note: the program runs with the environment of the machine that began the search; different here: %s", note);
	return true;
}

/* Reads a slot into the run's segment, inside a transaction. */
static bool load_slot(struct run *run, const char *slot, bool *ok)
{
	struct machines *m = run->machines;

	return store_read_slot(&m->store, slot, &m->replica, ok);
}

/* Prepares what was loaded for supervise(). */
static bool go_on(struct run *run)
{
	struct machines *m = run->machines;
	struct session_control *ctl = control_of(run);

	if (!segment_go_on(&run->seg, &run->config, false))
		return refuse("the stored search is damaged; delete it (DROP SCHEMA simul_search CASCADE) to begin a new one");
	segment_limit(&run->seg, 0, 0);
	ctl->common_wanted = ctl->common_granted = 0;
	run->config.start_time = run->seg.session->config.start_time;
	m->pool = run->seg.session->pool;
	m->uncontrolled = ctl->uncontrolled;
	m->native_children = ctl->native_children;
	return true;
}

/* Makes this worker one of a search with the warm-up results of any other slot, and joins it. */
static bool join(struct run *run, const char *any, bool *ok)
{
	struct machines *m = run->machines;
	struct segment other;
	struct replica copy;
	char why[512];

	if (!segment_create(&other, &run->config, run->opt.memory, 0, run->opt.patch.value, run->workers.common, why, sizeof(why))) {
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
		segment_copy_known(&run->seg, &other);
		run->seg.session->config.start_time = other.session->config.start_time;
		control_of(run)->shared_search = 1;
		m->pool = run->seg.session->pool;
		*ok = explore_join(search_of(run), segment_common_search(&run->seg), run->seg.layout.common_search_size, false);
	}
	replica_close(&copy);
	segment_close(&other);
	return true;
}

static unsigned long executions_of(const struct run *run)
{
	struct explore_stats stats;

	segment_stats(&run->seg, &stats);
	return stats.executions;
}

/* What becomes of a slot when it is stored. */
enum slot_use { SLOT_KEPT, SLOT_LEFT, SLOT_EMPTIED };

/* Stores what changed, inside a transaction that locks the search if `common`. */
static bool put_pages(struct run *run, bool common, enum slot_use use)
{
	struct machines *m = run->machines;
	struct replica_pages shared = {0}, own;
	bool ok = true;

	if (common) {
		replica_changed(&m->replica, true, &shared);
		ok = !shared.n || store_put_common(&m->store, &shared);
	}
	replica_changed(&m->replica, false, &own);
	ok = ok && store_put_slot(&m->store, &own, executions_of(run), use != SLOT_EMPTIED && !is_idle(run) && !is_over(run),
		use == SLOT_KEPT);
	if (ok && common && is_over(run))
		ok = store_finish(&m->store);
	ok = ok && engine_commit(m->store.engine);
	if (ok) {
		replica_stored(&m->replica, &shared);
		replica_stored(&m->replica, &own);
		m->stored_ns = wall_clock_ns();
	}
	replica_free(&shared);
	replica_free(&own);
	return ok;
}

/* Takes a slot of a shared search, or adds one. *ok: false when the search has changed meanwhile. */
static bool take_part(struct run *run, bool *ok)
{
	struct machines *m = run->machines;
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
		done = load_slot(run, m->store.slot, ok);
		*ok = done && *ok && go_on(run);
	} else {
		done = store_slots(&m->store, &slot, &n) && store_new_slot(&m->store);
		*ok = done && n;
		done = done && (!n || join(run, slot[0], ok));
	}
	free(slot);
	return done && (!*ok || put_pages(run, true, SLOT_KEPT));
}

enum entering { ENTERED, AGAIN, FAILED };

static enum entering enter_shared(struct run *run)
{
	struct machines *m = run->machines;
	bool ok = false;

	if (!engine_begin(m->store.engine))
		return FAILED;
	if (!take_part(run, &ok) || !ok) {
		engine_rollback(m->store.engine);
		return engine_is_lost(m->store.engine) ? FAILED : AGAIN;
	}
	return ENTERED;
}

/* Loads the only slot of a search that one machine explored and left, if there is one. */
static enum entering enter_alone(struct run *run)
{
	struct machines *m = run->machines;
	char (*slot)[UUID];
	enum entering how = ENTERED;
	bool ok = true;
	size_t n;

	m->alone = true;
	if (!engine_begin(m->store.engine))
		return FAILED;
	if (!store_slots(&m->store, &slot, &n) || (n && !load_slot(run, slot[0], &ok)))
		how = FAILED;
	else if (n && ok && go_on(run))
		memcpy(m->store.slot, slot[0], UUID);
	else if (n)
		how = FAILED;
	free(slot);
	engine_rollback(m->store.engine);
	return how;
}

/* Stores the bugs that were found here. `stop`: they end the search of all machines. */
static bool store_bugs(struct run *run, bool stop)
{
	struct machines *m = run->machines;

	for (; m->bugs < run->n_findings; m->bugs++) {
		struct saved_finding head;
		char name[24], *text, *all;
		size_t size;
		bool ok;

		text = saved_finding_make(&run->findings[m->bugs], &head, &size);
		if (!text)
			continue;
		all = xcalloc(1, sizeof(head) + size);
		memcpy(all, &head, sizeof(head));
		memcpy(all + sizeof(head), text, size);
		snprintf(name, sizeof(name), "%016" PRIx64, head.signature);
		ok = store_bug(&m->store, name, all, sizeof(head) + size, stop);
		free(all);
		free(text);
		if (!ok)
			return false;
	}
	return true;
}

static bool load_bugs(struct run *run)
{
	struct machines *m = run->machines;
	struct engine *e = m->store.engine;
	const struct engine_value search = engine_text(m->store.search);
	bool ok = engine_begin(e) && engine_query_binary(e, "SELECT data FROM simul_search.bugs_of($1)", &search, 1);

	for (int i = 0; ok && i < engine_rows(e); i++) {
		struct engine_value v = engine_field(e, i, 0);
		uint64_t signature = 0;
		bool known = false;

		if (v.size >= sizeof(struct saved_finding))
			memcpy(&signature, v.data + offsetof(struct saved_finding, signature), sizeof(signature));
		for (size_t k = 0; k < run->n_findings; k++)
			known |= run->findings[k].signature == signature;
		if (!known && !saved_finding_load(run, v.data, v.size, "the database"))
			say("--search: a stored recording is damaged and was left out");
	}
	engine_rollback(e);
	m->bugs = run->n_findings;
	return ok;
}

/* Adds the counts of the slots that other machines had. They stand still, or have not been stored since. */
static void add_others(struct run *run)
{
	struct machines *m = run->machines;
	char (*slot)[UUID], why[SESSION_MESSAGE];
	size_t n = 0;
	bool ok = engine_begin(m->store.engine) && store_slots(&m->store, &slot, &n);

	for (size_t i = 0; ok && i < n; i++) {
		struct replica copy;
		struct worker *w;
		bool whole = false;

		if (!strcmp(slot[i], m->store.slot))
			continue;
		w = workers_add_empty(&run->workers, why, sizeof(why));
		if (!w) {
			say("--search: %s", why);
			break;
		}
		ok = replica_open(&copy, w->seg) && store_read_slot(&m->store, slot[i], &copy, &whole);
		replica_close(&copy);
		if (ok && whole && segment_go_on(w->seg, &run->config, false))
			workers_remove(&run->workers, run->workers.n - 1);
		else
			ok = false;
	}
	if (!ok)
		say("--search: the counts of other machines could not be read: %s", engine_why(m->store.engine));
	if (n)
		free(slot);
	engine_rollback(m->store.engine);
}

/* Everything was explored before: loads all of it, so that the verdict can be given again. */
static enum entering enter_over(struct run *run)
{
	struct machines *m = run->machines;
	char (*slot)[UUID];
	bool ok = false, clash;
	size_t n;

	if (!engine_begin(m->store.engine))
		return FAILED;
	if (!store_fetch(&m->store, &m->replica, &clash) || !store_slots(&m->store, &slot, &n) || !n || !load_slot(run, slot[0], &ok) || !ok) {
		engine_rollback(m->store.engine);
		return FAILED;
	}
	engine_rollback(m->store.engine);
	memcpy(m->store.slot, slot[0], UUID);
	free(slot);
	if (!go_on(run))
		return FAILED;
	workers_begin(&run->workers, &run->seg, &run->capture);
	add_others(run);
	workers_end(&run->workers);
	run->sup.end = SESSION_OVER;
	m->over = true;
	return ENTERED;
}

/* Begins with a copy of an empty search. Its thread names have T0 on every machine, which need not be stored. */
static bool open_replica(struct run *run)
{
	struct machines *m = run->machines;
	struct replica_pages names;

	replica_close(&m->replica);
	if (!replica_open(&m->replica, &run->seg))
		return refuse("no memory for a copy of the search");
	replica_changed(&m->replica, true, &names);
	replica_stored(&m->replica, &names);
	replica_free(&names);
	return true;
}

static bool pause_for(struct run *run)
{
	const struct timespec step = {.tv_nsec = WAIT_NS};

	nanosleep(&step, NULL);
	if (interrupt_count())
		return refuse("interrupted while another machine prepared the search");
	if (run->opt.time_ns && wall_clock_ns() - run->start_ns > run->opt.time_ns)
		return refuse("the time is over, and the machine that began the search has not shared it yet");
	return true;
}

static void make_digest(struct run *run)
{
	struct machines *m = run->machines;

	identity_free(&m->identity);
	identity_make(&m->identity, run, NULL);
	SHA256Data((const uint8_t *)m->identity.text, identity_fixed(&m->identity), m->digest);
}

bool machines_enter(struct run *run)
{
	struct machines *m = run->machines;
	struct store_entry entry = {.identity = NULL};
	enum entering how = AGAIN;
	bool said = false;

	if (!m->digest[0])
		make_digest(run);
	m->alone = m->single = m->locked = m->checked = m->behind = m->leaves = m->lost = false;
	if (!open_replica(run))
		return false;
	while (how == AGAIN) {
		if (!store_enter(&m->store, m->digest, &m->identity, &entry)) {
			failed(m);
			break;
		}
		if (!restore_environment(run, &entry))
			break;
		free(m->maps);
		m->maps = entry.maps ? xstrdup(entry.maps) : NULL;
		if (!store_bugs(run, !run->opt.keep_going) || !load_bugs(run)) {
			failed(m);
			break;
		}
		if (entry.state == STORE_OVER) {
			how = enter_over(run);
		} else if (run->n_findings && !run->opt.keep_going) {
			m->over = true;
			run->sup.end = SESSION_STOPPED;
			run->sup.cause = STOP_BUG;
			how = ENTERED;
		} else if (entry.state == STORE_SHARED) {
			how = enter_shared(run);
		} else if (entry.mine) {
			how = enter_alone(run);
		} else if (entry.state == STORE_SINGLE) {
			say("--search: another machine explores this program alone: %s", entry.reason);
			break;
		} else {
			if (!said && !run->opt.quiet)
				say("--search: waiting for the machine that began this search");
			said = true;
			if (!pause_for(run))
				break;
		}
	}
	free(entry.identity);
	free(entry.maps);
	if (how == FAILED && !engine_is_lost(m->store.engine))
		failed(m);
	m->looked_ns = m->stored_ns = wall_clock_ns();
	return how == ENTERED;
}

/* ---- while it runs ---- */

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

static void ask_for_pause(struct run *run)
{
	shared_store(&control_of(run)->pause_request, 1);
	if (control_of(run)->shared_search)
		wake(explore_wakeup(segment_common_search(&run->seg)));
}

/* Begins a transaction that locks the search, and brings the copy up to date. */
static bool lock(struct run *run)
{
	struct machines *m = run->machines;
	bool ok = false, clash = false;

	if (!engine_begin(m->store.engine))
		return false;
	m->locked = store_lock(&m->store, &ok) && ok && store_fetch(&m->store, &m->replica, &clash) && !clash;
	if (!m->locked)
		engine_rollback(m->store.engine);
	return m->locked;
}

/* Stores everything. The worker stands between two executions. */
static bool commit(struct run *run, enum slot_use use)
{
	struct machines *m = run->machines;
	struct replica_pages shared;
	bool common = m->locked, ok;

	if (!common) {
		replica_changed(&m->replica, true, &shared);
		common = shared.n != 0; /* the name of a new thread */
		replica_free(&shared);
		ok = common ? lock(run) : engine_begin(m->store.engine);
		if (!ok)
			return false;
	}
	ok = put_pages(run, common, use);
	if (!ok)
		engine_rollback(m->store.engine);
	m->locked = false;
	return ok;
}

/* Retires a worker without work. Its counts stay in its slot. */
static bool give_back(struct run *run)
{
	struct machines *m = run->machines;

	if (!m->locked && !lock(run))
		return false;
	return explore_hand_back(search_of(run)) && commit(run, SLOT_EMPTIED);
}

/* Tells the others when no machine can help this one. */
static enum machines_says say_single(struct run *run)
{
	struct machines *m = run->machines;

	m->single = true;
	if (!run->opt.quiet)
		say("--search: this machine explores alone: %s", run->workers.why);
	return store_begin_again(&m->store, run->workers.why) ? MACHINES_GO_ON : again(m);
}

static enum machines_says look_alone(struct run *run)
{
	struct machines *m = run->machines;
	struct store_view view;

	if (!store_look(&m->store, &view) || !view.valid)
		return again(m);
	return run->workers.given_up && !m->single ? say_single(run) : MACHINES_GO_ON;
}

static enum machines_says look_shared(struct run *run, bool idle)
{
	struct machines *m = run->machines;
	struct store_view view;
	bool clash = false, ok;

	if (!store_look(&m->store, &view) || !view.valid)
		return again(m);
	if (view.stop && !run->opt.keep_going)
		return MACHINES_STOP;
	if (idle && view.version != m->store.version && !shared_load(&control_of(run)->common_wanted)) {
		ok = engine_begin(m->store.engine) && store_fetch(&m->store, &m->replica, &clash) && !clash;
		engine_rollback(m->store.engine);
		if (!ok)
			return again(m);
		wake(explore_wakeup(segment_common_search(&run->seg)));
	} else if (!idle && view.version != m->store.version) {
		m->behind = true;
		ask_for_pause(run);
	} else if (idle && view.spare) {
		m->leaves = true;
		ask_for_pause(run);
	}
	return MACHINES_GO_ON;
}

static enum machines_says on_turn(void *ctx)
{
	struct run *run = ctx;
	struct machines *m = run->machines;
	struct session_control *ctl = control_of(run);
	uint64_t now = wall_clock_ns();
	bool idle = is_idle(run);

	if (m->locked) { /* until the worker pauses */
		if (!shared_load(&ctl->pause_request))
			ask_for_pause(run);
		return MACHINES_GO_ON;
	}
	if (!m->alone && shared_load(&ctl->common_wanted)) {
		if (!lock(run))
			return again(m);
		shared_store(&ctl->common_wanted, 0);
		shared_store(&ctl->pause_request, 1);
		shared_store(&ctl->common_granted, 1);
		wake(&ctl->common_granted);
		return MACHINES_GO_ON;
	}
	if (!store_bugs(run, !run->opt.keep_going))
		return again(m);
	if (!m->alone && !idle && now - m->stored_ns > STORE_NS && m->checked)
		ask_for_pause(run);
	if (now - m->looked_ns < (idle ? IDLE_LOOK_NS : LOOK_NS))
		return MACHINES_GO_ON;
	m->looked_ns = now;
	return m->alone ? look_alone(run) : look_shared(run, idle);
}

/* The target is at its checkpoint: compares its addresses with those of the machine that began the search. */
static bool check(struct run *run)
{
	struct machines *m = run->machines;
	const struct session_pool *now = &run->seg.session->pool;
	char path[64], *maps;
	bool same;

	m->checked = true;
	control_of(run)->uncontrolled = m->uncontrolled;
	control_of(run)->native_children = m->native_children;
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)run->workers.w[0]->pid);
	maps = proc_text_read(path);
	same = m->maps && proc_text_same_addresses(m->maps, maps, run->sup.text, sizeof(run->sup.text));
	free(maps);
	for (uint32_t i = 0; same && i < m->pool.n && i < SESSION_POOL; i++) {
		same = i < now->n && now->thread[i].stack_at == m->pool.thread[i].stack_at;
		if (!same)
			text_set(run->sup.text, sizeof(run->sup.text), "the thread stacks are not where they are on the machine that began the search");
	}
	return same;
}

static enum machines_says on_paused(void *ctx)
{
	struct run *run = ctx;
	struct machines *m = run->machines;

	if (!m->checked && !check(run))
		return MACHINES_REFUSE;
	if (!segment_can_keep(&run->seg))
		return MACHINES_GO_ON; /* it will pause again */
	if (m->leaves && is_idle(run)) {
		give_back(run);
		return again(m);
	}
	m->leaves = false;
	if ((m->behind && !m->locked && !lock(run)) || !commit(run, SLOT_KEPT))
		return again(m);
	m->behind = false;
	shared_store(&control_of(run)->common_granted, 0);
	return MACHINES_GO_ON;
}

static enum machines_says on_publish(void *ctx)
{
	struct run *run = ctx;
	struct machines *m = run->machines;
	struct identity id;
	bool ok = false, done;
	char path[64];

	free(m->maps);
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)run->workers.w[0]->pid);
	m->maps = proc_text_read(path);
	identity_make(&id, run, m->maps);
	uuid_random(m->store.token);
	done = engine_begin(m->store.engine) && store_publish(&m->store, &id, m->maps, &ok) && ok && store_new_slot(&m->store) &&
	       put_pages(run, true, SLOT_KEPT);
	identity_free(&id);
	if (!done) {
		engine_rollback(m->store.engine);
		return again(m);
	}
	m->alone = false;
	m->checked = true;
	return MACHINES_GO_ON;
}

static enum machines_says on_restart(void *ctx, const char *why)
{
	struct run *run = ctx;
	struct machines *m = run->machines;

	if (m->locked)
		engine_rollback(m->store.engine);
	m->locked = false;
	if (!store_begin_again(&m->store, why))
		return again(m);
	replica_close(&m->replica);
	if (!replica_open(&m->replica, &run->seg))
		return again(m);
	control_of(run)->common_wanted = control_of(run)->common_granted = 0;
	m->alone = true;
	m->single = why != NULL;
	m->checked = true;
	return MACHINES_GO_ON;
}

/* ---- the end ---- */

/* Stores the state of a search that this machine explored alone, so that another one can continue it. */
static bool store_alone(struct run *run)
{
	struct machines *m = run->machines;
	struct identity id;
	bool ok = false, done;

	uuid_random(m->store.token);
	identity_make(&id, run, run->maps);
	done = engine_begin(m->store.engine) && store_leave_alone(&m->store, &id, run->maps, &ok) && ok && store_new_slot(&m->store) &&
	       put_pages(run, is_over(run), SLOT_LEFT);
	identity_free(&id);
	if (!done)
		engine_rollback(m->store.engine);
	return done;
}

static void on_end(void *ctx)
{
	struct run *run = ctx;
	struct machines *m = run->machines;
	bool kept = !run->sup.killed && (run->sup.end == SESSION_OVER || run->sup.end == SESSION_STOPPED) && segment_can_keep(&run->seg);

	if (run->sup.end == SESSION_AGAIN)
		return;
	if (m->lost || engine_is_lost(m->store.engine))
		return;
	if (kept && m->alone)
		kept = store_alone(run);
	else if (kept)
		kept = is_idle(run) && !is_over(run) ? give_back(run) : commit(run, SLOT_LEFT);
	if (!kept) {
		if (m->locked)
			engine_rollback(m->store.engine);
		m->locked = false;
		store_leave(&m->store);
	}
	store_bugs(run, !run->opt.keep_going);
	if (!m->alone)
		add_others(run);
	load_bugs(run);
}

void machines_watch(struct run *run)
{
	static const struct machines_ops ops = {.turn = on_turn, .paused = on_paused, .publish = on_publish, .restart = on_restart};

	run->sup.machines = &ops;
	run->sup.on_end = on_end;
}
