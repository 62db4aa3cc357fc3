/*
 * The supervisor's side of the session segment (base/session.h): creates it, and reads what the target wrote there. The target may have
 * overwritten anything, so nothing in it is trusted: sizes and offsets come from the supervisor's own copy of the layout, and all data is
 * first copied, then checked.
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

#define SEGMENT_OBJECTS 65536 /* objects of a failed execution that are passed on */

struct segment {
	int fd;                       /* memfd, close-on-exec; -1 when there is none */
	struct session *session;      /* mapped, shared with the target */
	struct session_layout layout; /* the trusted copy */
	int common_fd;                /* of the memory shared by several workers; -1: none. Not owned */
};

/*
 * Creates a segment with `config`. MODE_EXPLORE: a search of strategy config->strategy gets the rest of `memory` bytes. MODE_FORCED: there
 * is room for forced_cap steps. The thread names hold T0. `patterns`: those of --patch, NULL-terminated (NULL: none). `common`: memory
 * shared with other workers, including the thread names; NULL: none. false: *why (size bytes) gives the reason.
 */
bool segment_create(struct segment *seg, const struct session_config *config, uint64_t memory,
	uint32_t forced_cap, char *const *patterns, const struct common_memory *common, char *why, size_t size);
void segment_close(struct segment *seg);

/* Restarts the search and discards what it explored. No target may be alive. */
bool segment_new_search(struct segment *seg);

/* Returns the memory shared with other workers; NULL: none. The second function returns the part for explore/shared/common.h. */
struct session_common *segment_common(const struct segment *seg);
void *segment_common_search(const struct segment *seg);

/* Returns the journal of the program's changes to the file system. */
struct journal *segment_journal(const struct segment *seg);

/* Returns the smallest useful --memory for this configuration, in bytes. */
uint64_t segment_min_memory(const struct session_config *config);

/* A checked copy of the target's data about one execution. */
struct execution {
	struct event *events;
	uint32_t n;
	uint32_t threads;      /* all thread ids are below this */
	struct event *pending; /* [threads]; kind EV_NONE: none */
	struct session_bug bug;
	struct session_pool pool;
	struct thread_names names;
	struct rec_memory memory; /* at the start of the execution */
};

/* Returns whether each event names existing threads and has values that an event may have. */
bool segment_events_valid(const struct event *events, uint32_t n, const struct thread_names *names);

/* Copies and checks it. false: the program damaged the segment; *why says where. */
bool segment_execution(const struct segment *seg, struct execution *out, char *why, size_t size);
void execution_free(struct execution *e);

/* Preemptions that its execution needs, see session_bug; 0: unknown. */
void segment_needs(const struct segment *seg, uint32_t *least, uint32_t *enough);

/* Reads the stack recorded with event i; stack.n is 0 if there is none. */
void segment_frames(const struct segment *seg, uint32_t i, struct session_frames *out);

/* Reads label i of the execution; false if there is none. */
bool segment_label(const struct segment *seg, uint32_t i, struct session_label *out);
/* Reads the values that memory event i read and wrote; size is 0 if unknown. */
void segment_value(const struct segment *seg, uint32_t i, struct session_value *out);

/* Reads the description of an object; kind OBJ_NONE if there is none. */
void segment_object(const struct segment *seg, object_id o, struct session_object *out);

/* Reads the final position of a thread; all zero if unknown. */
void segment_thread(const struct segment *seg, thread_id t, struct session_thread *out);

/* Reads the search's counters (all zero in MODE_FORCED). */
void segment_stats(const struct segment *seg, struct explore_stats *out);

/* Writes the schedule to follow. n <= forced_cap. */
void segment_set_forced(struct segment *seg, const struct forced_step *steps, uint32_t n);

struct schedule;
/* MODE_EXPLORE, right after segment_create with forced_cap = s->n: the first execution of the search follows this schedule, with its threads,
   pool and memory. false: `why` gives the reason. */
bool segment_set_guide(struct segment *seg, const struct schedule *s, char *why, size_t size);

/* MODE_GUIDED. segment_guided_steps returns the number of schedule steps whose room a plan and its notes take; segment_set_guided writes
   the plan; segment_notes reads the notes on the first n events. */
uint32_t segment_guided_steps(uint32_t turns, uint32_t notes);
void segment_set_guided(struct segment *seg, const struct guided_turn *turn, uint32_t turns, uint32_t notes);
void segment_notes(const struct segment *seg, uint32_t turns, struct guided_note *out, uint32_t n);

/* Writes the known shared memory and spin loops into a new segment. false: they are invalid. */
bool segment_set_memory(struct segment *seg, const struct rec_memory *m);

/* Return checked, malloc()ed copies: what the sensors cover, which races were seen, and which words were used like locks. */
struct lock_words;
struct lock_words *segment_lock_words(const struct segment *seg);
struct session_sensors *segment_sensors(const struct segment *seg);
struct session_races *segment_races(const struct segment *seg);

/* Returns whether the target has recorded that this bug was handed over. */
bool segment_knows_bug(const struct segment *seg, uint64_t signature);

/* Returns whether the running execution discovered shared memory or spin loops that the search did not know at its start. */
bool segment_has_unapplied(const struct segment *seg);

/* Return whether the table of shared bytes, of drain agents is full. */
bool segment_memory_full(const struct segment *seg);
/* Returns the number of objects that were taken as locks because `owner` (enum lock_owner) says so. */
uint32_t segment_locks(const struct segment *seg, uint32_t owner);
/* Returns the number of instructions whose repeated reads are left out (sched/repeats.h). */
uint32_t segment_repeats(const struct segment *seg);
/* Returns why the search may have missed something in spin loops (enum await_doubts). */
uint32_t segment_await_doubts(const struct segment *seg);
/* Returns whether the search has left out behaviours of waiting loops (struct rounds_limits). */
bool segment_loops_limited(const struct segment *seg);
/* Returns a return address in a loop whose turns were limited (struct rounds_limits, struct endless_limits); 0:
   there is none. */
uint64_t segment_limited_loop(const struct segment *seg);
/* Returns whether it has stopped threads that never end (struct endless_limits). */
bool segment_threads_stopped(const struct segment *seg);
bool segment_agents_full(const struct segment *seg);

/* Makes a checked copy of the thread names. false: they are damaged. */
bool segment_names(const struct segment *seg, struct thread_names *out);

/* Writes thread names that are already known. */
void segment_set_names(struct segment *seg, const struct thread_names *names);

/* Makes a terminated copy of one of the texts in session_control. */
void segment_text(const char field[SESSION_MESSAGE], char out[SESSION_MESSAGE]);

/* Access to words shared with the target. */
static inline uint32_t shared_load(const uint32_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void shared_store(uint32_t *word, uint32_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

#endif
