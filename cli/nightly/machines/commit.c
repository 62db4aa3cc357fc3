/* Storing the state of this worker. */
#include "cli/nightly/machines/machines_internal.h"

#include "cli/supervise/watchdog.h"

bool commit_pages(struct machines *m, bool common, enum slot_use use)
{
	struct replica_pages shared = {0}, own;
	struct explore_stats stats;
	uint64_t may; /* a worker without work, or one that leaves, returns what was reserved for it */
	bool ok;

	segment_stats(&m->search->seg, &stats);
	may = m->search->opt.executions && use == SLOT_KEPT && !worker_is_idle(m) ? control_of(m)->requests.may : stats.executions;
	if (common)
		replica_changed(&m->replica, true, &shared);
	replica_changed(&m->replica, false, &own);
	ok = store_put(&m->store, shared.n ? &shared : NULL, &own, &stats, may, use != SLOT_EMPTIED && !worker_is_idle(m) && !search_is_over(m),
		use == SLOT_KEPT);
	if (ok && common && search_is_over(m))
		ok = store_finish(&m->store);
	ok = ok && engine_commit(m->store.engine);
	if (ok) {
		replica_stored(&m->replica, &shared);
		replica_stored(&m->replica, &own);
		store_slot_is_stored(&m->store);
		control_of(m)->requests.may = may;
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
