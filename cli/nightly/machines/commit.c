/* Storing the state of this worker. */
#include "cli/nightly/machines/machines_internal.h"

#include "cli/supervise/watchdog.h"

#define COUNTS_COST 50 /* counting open tasks takes one part in this many of the time */

/* Returns how many tasks no worker has. Below 0: not counted now, since a big tree has very many. */
static long count_open(struct machines *m)
{
	const struct segment *seg = &m->search->seg;
	uint64_t now = wall_clock_ns();
	long open;

	if (!control_of(m)->requests.shared_search || now - m->counted_ns < m->count_ns * COUNTS_COST)
		return -1;
	open = (long)explore_common_open(segment_common_search(seg), seg->layout.common_search_size);
	m->counted_ns = wall_clock_ns();
	m->count_ns = m->counted_ns - now;
	return open;
}

bool commit_pages(struct machines *m, bool common, enum slot_use use)
{
	struct replica_pages shared = {0}, own;
	struct explore_stats stats;
	/* A worker without work, or one that leaves, returns what was reserved for it. */
	struct store_slot_facts facts = {
		.stats = &stats,
		.open = -1,
		.works = use != SLOT_EMPTIED && !worker_is_idle(m) && !search_is_over(m),
		.keep = use == SLOT_KEPT,
	};
	bool ok;

	segment_stats(&m->search->seg, &stats);
	facts.may = stats.executions;
	if (m->search->opt.executions && use == SLOT_KEPT && !worker_is_idle(m))
		facts.may = control_of(m)->requests.may;
	if (common)
		replica_changed(&m->replica, true, &shared);
	replica_changed(&m->replica, false, &own);
	if (shared.n)
		facts.open = count_open(m);
	ok = store_put(&m->store, shared.n ? &shared : NULL, &own, &facts);
	if (ok && common && search_is_over(m))
		ok = store_finish(&m->store);
	ok = ok && engine_commit(m->store.engine);
	if (ok) {
		replica_stored(&m->replica, &shared);
		replica_stored(&m->replica, &own);
		store_slot_is_stored(&m->store);
		control_of(m)->requests.may = facts.may;
		m->stored_executions = stats.executions;
		m->stored_ns = wall_clock_ns();
		m->attempts = 0;
	}
	replica_free(&shared);
	replica_free(&own);
	return ok;
}

/* Begins a transaction that locks the search, and brings the copy up to date. */
bool commit_lock(struct machines *m)
{
	bool ok = false, clash = false;

	if (!engine_begin(m->store.engine))
		return false;
	m->locked = store_lock(&m->store, &ok) && ok && store_fetch(&m->store, &m->replica, &clash) && !clash;
	if (!m->locked)
		engine_rollback(m->store.engine);
	return m->locked;
}

/* Stores everything. The worker stands between two executions. */
bool commit_all(struct machines *m, enum slot_use use)
{
	struct replica_pages shared;
	bool common = m->locked, ok;

	if (!common) {
		replica_changed(&m->replica, true, &shared);
		common = shared.n != 0; /* the name of a new thread */
		replica_free(&shared);
		ok = common ? commit_lock(m) : engine_begin(m->store.engine);
		if (!ok)
			return false;
	}
	ok = commit_pages(m, common, use);
	if (!ok)
		engine_rollback(m->store.engine);
	m->locked = false;
	return ok;
}

/* Retires a worker without work. Its counts stay in its slot. */
bool commit_retired(struct machines *m)
{
	if (!m->locked && !commit_lock(m))
		return false;
	return explore_hand_back(search_of(m)) && commit_all(m, SLOT_EMPTIED);
}
