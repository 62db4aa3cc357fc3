/* The functions of search.sql. Internal to cli/nightly/machines/. Those that return bool fail like engine_query, inside a transaction. */
#ifndef SIMUL_MACHINES_STORE_H
#define SIMUL_MACHINES_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/nightly/machines/command.h"
#include "cli/nightly/machines/engine.h"
#include "cli/nightly/machines/replica.h"
#include "cli/nightly/machines/uuid.h"
#include "cli/resume/state_identity.h"

#define STORE_LAYOUT 5 /* of search.sql */

/* What a machine knows of its search. Names are empty when there is none. */
struct store {
	struct engine *engine;
	char machine[256];     /* name of the host, and the process there */
	int process;
	char self[UUID];       /* this process */
	char search[UUID], generation[UUID], slot[UUID], token[UUID];
	char commit[UUID];     /* the latest commit whose pages are here */
	long version;          /* of the common part here */
	bool locked;           /* store_lock has just read the next two */
	char latest[UUID];     /* the latest commit of the common part, and its version */
	long latest_version;
	char slot_commit[UUID]; /* the latest commit of the slot, and the one that is being made */
	char slot_next[UUID];
};

enum store_state { STORE_ALONE, STORE_SHARED, STORE_SINGLE, STORE_OVER };

struct store_entry {
	enum store_state state;
	bool mine;
	char reason[512];  /* STORE_SINGLE */
	char *identity;    /* malloc()ed */
	size_t identity_size;
	char *maps;        /* malloc()ed; NULL: none */
};

struct store_view {
	bool valid, stop, spare;
	enum store_state state;
	char reason[512];
	long version;
	uint64_t others, others_blocked; /* executions of other slots, as stored */
};

/* How a machine enters a search. */
struct store_wish {
	const char *digest;
	const struct identity *identity;
	const struct command *command;
	bool to_first_bug;
	uint64_t time_ns;    /* 0: no limit */
	uint64_t executions; /* the same */
};

/* Joins the search with this digest, or begins it. Whole transactions: */
bool store_enter(struct store *s, const struct store_wish *wish, struct store_entry *out);
bool store_look(struct store *s, struct store_view *out);
/* Begins a new generation. false: another machine was faster, or it failed. */
bool store_begin_again(struct store *s, const char *why);
bool store_bug(struct store *s, const char *signature, const void *data, size_t size, bool stop);
void store_leave(struct store *s);
/* An execution that a machine repeats before it joins (probe.h). `data` is malloc()ed. At most `most` are kept. */
struct store_sample {
	char *data;
	size_t size;
};
bool store_sample(struct store *s, const void *data, size_t size, unsigned most);
/* Reads at most `most` of them. One of more than most_bytes, which no machine stores, is read as an empty one. */
bool store_samples(struct store *s, unsigned most, size_t most_bytes, struct store_sample **sample, size_t *n);
/* Reserves executions for the slot, so that all machines make `most` in all. *may: how many the worker may make, those it has made included; *over: `most`
   are stored. false: it failed, or the slot is not valid. */
bool store_reserve(struct store *s, uint64_t most, uint64_t *may, bool *over);

/* Locks the search. *ok: what this machine has is still valid. */
bool store_lock(struct store *s, bool *ok);
/* Reads what changed since s->version into the replica, and sets the version. *clash: this worker has changed one of these pages too. */
bool store_fetch(struct store *s, struct replica *r, bool *clash);
bool store_take_slot(struct store *s);
bool store_new_slot(struct store *s);
/* Reads the pages of a slot, its own or another one. *ok: all of them are pages of a worker. */
bool store_read_slot(struct store *s, const char *slot, struct replica *r, bool *ok);
/* Lists the slots, malloc()ed. */
bool store_slots(struct store *s, char (**slot)[UUID], size_t *n);
bool store_publish(struct store *s, const struct identity *id, const char *maps, bool *ok);
/* The machine that explored alone leaves; its slot follows. */
bool store_leave_alone(struct store *s, const struct identity *id, const char *maps, bool *ok);
/* What is stored of a slot beside its pages. */
struct store_slot_facts {
	const struct explore_stats *stats;
	uint64_t may;      /* see store_reserve */
	long open;         /* tasks of the common part that no worker has; below 0: not counted now */
	bool works, keep;  /* it has work; the worker keeps it */
};

/* Stores changed pages of the common part, if `shared` is not NULL, and of the slot. Call store_slot_is_stored when the
   transaction is committed. */
bool store_put(struct store *s, const struct replica_pages *shared, const struct replica_pages *own,
	const struct store_slot_facts *facts);
void store_slot_is_stored(struct store *s);
bool store_finish(struct store *s);

#endif
