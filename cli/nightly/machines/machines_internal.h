/* A search that several machines share: what the files of this room know of it. */
#ifndef SIMUL_MACHINES_INTERNAL_H
#define SIMUL_MACHINES_INTERNAL_H

#include <sha2.h>

#include "base/units.h"
#include "cli/bugs/findings.h"
#include "cli/nightly/machines/command.h"
#include "cli/nightly/machines/machines.h"
#include "cli/nightly/machines/replica.h"
#include "cli/nightly/machines/store.h"
#include "cli/resume/state_identity.h"
#include "cli/supervise/search.h"
#include "explore/shared/common.h"

struct machines {
	struct search *search;
	struct findings *findings;
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
	uint64_t look_ns, store_ns; /* how long the latest look, and the latest commit with the common part took */
	uint64_t locked_ns;    /* since when `locked` */
	uint64_t stored_executions; /* of this worker, in the last commit */
	uint64_t asked_ns;     /* when no executions could be reserved */
	uint64_t counted_ns, count_ns; /* when open tasks were counted, and how long that took */
	size_t bugs;           /* findings that are stored */
	bool alone;            /* this machine explores alone, and may publish the search */
	bool single;           /* no other machine will help */
	bool locked;           /* a transaction is open, and the target may change the common part */
	bool checked;          /* the program's addresses were compared with `maps` */
	bool behind;           /* others have changed the common part: they may wait for work */
	bool leaves;           /* a slot with work is free, and this worker has none: give its own back */
	bool over;             /* there was nothing to run */
	bool said_waiting, said_environment, said_fine;
	uint64_t fine_ns; /* when the latest measurement for fine.h began, */
	uint64_t fine_executions; /* and the executions of this worker by then */
	unsigned attempts;     /* to join, since the last commit */
	unsigned samples;      /* executions that were stored for the probe */
	bool probed;           /* the program does here what it does elsewhere */
	bool lost;             /* the state here is not valid */
	struct command command;
	uint64_t others, others_blocked; /* executions of others, as last stored */
};

static inline struct session_control *control_of(const struct machines *m)
{
	return &m->search->seg.session->ctl;
}

static inline void *search_of(const struct machines *m)
{
	return (char *)m->search->seg.session + m->search->seg.layout.explore_off;
}

/* Returns whether everything is explored, by all machines. */
static inline bool search_is_over(const struct machines *m)
{
	const struct segment *seg = &m->search->seg;

	return control_of(m)->requests.shared_search ? explore_common_over(segment_common_search(seg)) : workers_finished(&m->search->workers, seg);
}

/* Returns whether the worker waits for work that another one has. */
static inline bool worker_is_idle(const struct machines *m)
{
	return control_of(m)->requests.shared_search && explore_waiting(search_of(m));
}

/* ---- commit.c: storing ---- */

/* What becomes of a slot when it is stored: the worker keeps it; it leaves, and another one may continue; it leaves, and had no work. */
enum slot_use { SLOT_KEPT, SLOT_LEFT, SLOT_EMPTIED };

/* Stores what changed and ends the transaction, which locks the search if `common`. */
bool commit_pages(struct machines *m, bool common, enum slot_use use);
/* Begins a transaction that locks the search, and brings the copy up to date. false: the state here is not valid. */
bool commit_lock(struct machines *m);
/* Stores everything. The worker stands between two executions. */
bool commit_all(struct machines *m, enum slot_use use);
/* Retires a worker without work. Its counts stay in its slot. */
bool commit_retired(struct machines *m);

/* ---- results.c: what other machines found ---- */

/* Stores the bugs that were found here. `stop`: they end the search of all machines. */
bool results_store_bugs(struct machines *m, bool stop);
/* Adds the bugs that others found to the findings. */
bool results_load_bugs(struct machines *m);
/* Adds the counts of the slots of others. They stand still, or have not been stored since. false: not all; one message was printed. */
bool results_add_counts(struct machines *m);

#endif
