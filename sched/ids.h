/*
 * Names that survive a rerun.
 *
 * A thread is known by its spawn path: T0 is the first thread, T0.1 the first thread that T0
 * created, T0.1.2 the second one that T0.1 created. Paths are interned once a session, in
 * `struct thread_names`, so that a small number (thread_id) means the same thread in every
 * execution of the session. No pid, address or pthread_t ever decides anything.
 *
 * With store buffers (membuf.h) there are *drain agents* beside the threads. They take turns like threads, and each has an id
 * of its own, above those of all threads: T0.1~ moves the buffer of T0.1 to memory (TSO), T0.1~5ac0 what it stored at
 * address 0x5ac0 (PSO).
 */
#ifndef SIMUL_IDS_H
#define SIMUL_IDS_H

#include <stddef.h>
#include <stdint.h>

typedef uint16_t thread_id; /* index into thread_names; 0 is T0 */
typedef uint32_t object_id; /* first-use number within one execution, from 1; 0 = none; or a cell of memory */

#define OBJECT_MEMORY UINT32_C(0x80000000) /* set in ids of memory cells, see memory.h */
#define object_is_memory(o) (((o) & OBJECT_MEMORY) != 0)

#define MAX_THREADS 2048 /* distinct spawn paths in one session */
#define MAX_AGENTS 6144  /* drain agents */
#define MAX_IDS (MAX_THREADS + MAX_AGENTS) /* a thread_id is below, or NO_THREAD */
#define NO_THREAD ((thread_id)0xffff)

struct thread_name {
	union {
		struct {
			thread_id parent;  /* NO_THREAD for T0 */
			uint16_t child_no; /* from 1: the how-manieth child of its parent */
		};
		uint32_t word; /* both; 0: free */
	};
};

#define PLACE_ALL UINT64_C(0) /* an agent that drains all stores of its thread */

#define PLACE_BITS 48

/* Whose stores an agent drains, and which: (owner + 1) << PLACE_BITS | place; 0: free. */
struct agent_name {
	uint64_t word;
};

static inline thread_id agent_name_owner(const struct agent_name *a)
{
	return (thread_id)((a->word >> PLACE_BITS) - 1);
}

/* PLACE_ALL, or the address of the stores it drains. */
static inline uint64_t agent_name_place(const struct agent_name *a)
{
	return a->word & ((UINT64_C(1) << PLACE_BITS) - 1);
}

/*
 * Lies in the session segment; written by the target, never shrinks during a session. Several processes may add to it at the same time
 * (workers of one search, explore/common.h), and each may die at any moment: so a name is one word, which is put into the first free place by
 * compare-and-swap and stays there. The numbers below are raised afterwards, by whoever meets the name next if need be.
 */
struct thread_names {
	uint32_t count;  /* number of entries in use, at least 1 once initialised */
	uint32_t agents;
	struct thread_name name[MAX_THREADS];
	struct agent_name agent[MAX_AGENTS]; /* of id MAX_THREADS + index */
};
_Static_assert(sizeof(struct thread_names) == 57352, "saved searches and all workers share this layout: bump SESSION_VERSION when it changes");

static inline int is_agent(thread_id t)
{
	return t >= MAX_THREADS && t != NO_THREAD;
}

void thread_names_init(struct thread_names *names);

/* The id of child `child_no` (from 1) of `parent`; adds it when new. NO_THREAD when full. */
thread_id thread_names_intern(struct thread_names *names, thread_id parent, unsigned child_no);

/* The id of the agent that drains what thread `owner` stores at `place`; adds it when new. NO_THREAD when full, or when `place` is no
   address. */
thread_id agent_intern(struct thread_names *names, thread_id owner, uint64_t place);
/* Whose buffer it drains; a thread: itself. */
thread_id agent_owner(const struct thread_names *names, thread_id t);

/* Writes "T0.1.2" ("T0.1.2~", "T0.1.2~5ac0") to buf (always terminated) and returns buf. */
char *thread_name_format(const struct thread_names *names, thread_id t, char *buf, size_t size);

/* Reads such a name, interning what is new; NO_THREAD when it is none. */
thread_id thread_name_parse(struct thread_names *names, const char *text);

#endif
