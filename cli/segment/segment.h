/*
 * The supervisor's end of the session segment (base/session.h): making it, and reading from it what
 * the target wrote there. The target may have scribbled over everything, so nothing in it is
 * believed: sizes and offsets come from our own copy of the layout, and whatever is read is copied
 * first and checked then.
 */
#ifndef SIMUL_SEGMENT_H
#define SIMUL_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/journal.h"
#include "base/session.h"
#include "cli/segment/common_memory.h"
#include "explore/explore.h"
#include "recorder/recording.h"
#include "replay/guided.h"
#include "sched/event.h"
#include "sched/ids.h"

#define SEGMENT_OBJECTS 65536 /* objects of a failed execution that are handed over */

struct segment {
	int fd;                       /* memfd, close-on-exec; -1 when there is none */
	struct session *session;      /* mapped, shared with the target */
	struct session_layout layout; /* the trusted copy */
	int common_fd;                /* of what several workers share; -1: nothing. Not owned */
};

/*
 * Makes a segment with `config`. MODE_EXPLORE: with a search of strategy config->strategy laid out
 * in what is left of `memory` bytes. MODE_FORCED: with room for forced_cap steps. The thread names
 * hold T0. `patterns` are those of --patch, NULL-terminated (NULL: none). `common`: what it shares with other workers, among it
 * the names of threads; NULL: nothing. false: *why (size bytes) says what is wrong.
 */
bool segment_create(struct segment *seg, const struct session_config *config, uint64_t memory,
	uint32_t forced_cap, char *const *patterns, const struct common_memory *common, char *why, size_t size);
void segment_close(struct segment *seg);

/* Begins the search anew: what it explored is forgotten. No target is alive. */
bool segment_new_search(struct segment *seg);

/* What it shares with other workers; NULL: nothing. The second is the memory of explore/common.h. */
struct session_common *segment_common(const struct segment *seg);
void *segment_common_search(const struct segment *seg);

/* What the program changed in the file system. */
struct journal *segment_journal(const struct segment *seg);

/* Smallest sensible --memory for this configuration, in bytes. */
uint64_t segment_min_memory(const struct session_config *config);

/* What the target left about one execution: a checked copy. */
struct execution {
	struct event *events;
	uint32_t n;
	uint32_t threads;      /* ids below this may occur */
	struct event *pending; /* [threads]; kind EV_NONE: none */
	struct session_bug bug;
	struct session_pool pool;
	struct thread_names names;
	struct rec_memory memory; /* as it was when the execution began */
	uint64_t number;       /* how-manieth started execution, from 1 */
};

/* Does each event name threads that there are, and what an event may have? */
bool segment_events_valid(const struct event *events, uint32_t n, const struct thread_names *names);

/* Copies and checks. false: the segment was damaged by the program; *why says where. */
bool segment_execution(const struct segment *seg, struct execution *out, char *why, size_t size);
void execution_free(struct execution *e);

/* Preemptions that its execution needs, see session_bug; 0: not known. */
void segment_needs(const struct segment *seg, uint32_t *least, uint32_t *enough);

/* The stack recorded with event i; n is 0 when there is none. */
void segment_stack(const struct segment *seg, uint32_t i, struct session_stack *out);

/* Label number i of the execution; false when there is none. */
bool segment_label(const struct segment *seg, uint32_t i, struct session_label *out);
/* What event i of memory read and wrote; size is 0 when nothing is known. */
void segment_value(const struct segment *seg, uint32_t i, struct session_value *out);

/* What is known about an object; kind OBJ_NONE when nothing is. */
void segment_object(const struct segment *seg, object_id o, struct session_object *out);

/* Where a thread stood at the end; all zero when nothing is known. */
void segment_thread(const struct segment *seg, thread_id t, struct session_thread *out);

/* A snapshot of the search's counters (all zero in MODE_FORCED). */
void segment_stats(const struct segment *seg, struct explore_stats *out);

/* Writes the schedule to follow. n <= forced_cap. */
void segment_set_forced(struct segment *seg, const struct forced_step *steps, uint32_t n);

/* MODE_GUIDED: steps of a schedule that a plan and its notes take the place of; writes the plan; what was noted of the first n
   events. */
uint32_t segment_guided_steps(uint32_t turns, uint32_t notes);
void segment_set_guided(struct segment *seg, const struct guided_turn *turn, uint32_t turns, uint32_t notes);
void segment_notes(const struct segment *seg, uint32_t turns, struct guided_note *out, uint32_t n);

/* What is already known of memory and spin loops; into a new segment. false: it cannot be like that. */
bool segment_set_memory(struct segment *seg, const struct rec_memory *m);

/* What the sensors cover, and which races were seen: checked copies, malloc()ed. */
struct session_sensors *segment_sensors(const struct segment *seg);
struct session_races *segment_races(const struct segment *seg);

/* Has the target noted that this bug was handed over? */
bool segment_knows_bug(const struct segment *seg, uint64_t signature);

/* Has the running execution taught what the search did not know when it began? */
bool segment_has_learnt(const struct segment *seg);

/* Is there no room for more in the table of shared bytes, of spin loops, of drain agents? */
bool segment_memory_full(const struct segment *seg);
bool segment_await_full(const struct segment *seg);
bool segment_agents_full(const struct segment *seg);

/* A checked copy of the names of threads. false: they are damaged. */
bool segment_names(const struct segment *seg, struct thread_names *out);

/* Thread names that are already known. */
void segment_set_names(struct segment *seg, const struct thread_names *names);

/* A terminated copy of one of the texts in session_control. */
void segment_text(const char field[SESSION_MESSAGE], char out[SESSION_MESSAGE]);

/* Shared words are read and written like this. */
static inline uint32_t shared_load(const uint32_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void shared_store(uint32_t *word, uint32_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

#endif
