/*
 * Names that survive a rerun.
 *
 * The name of a thread is its spawn path: T0 is the first thread, T0.1 the first thread that T0 created, T0.1.2 the second one that T0.1
 * created. `struct thread_names` interns the paths once a session, so that a small number (thread_id) means the same thread in every
 * execution of the session. No decision ever depends on a pid, an address or a pthread_t.
 *
 * With store buffers (membuf.h) there are *drain agents* beside the threads. They are scheduled like threads. Each has its own id, above
 * those of all threads: T0.1~ moves the buffer of T0.1 to memory (TSO), T0.1~5ac0 what it stored at address 0x5ac0 (PSO).
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
#define MAX_IDS (MAX_THREADS + MAX_AGENTS) /* every thread_id is below this, or NO_THREAD */
#define NO_THREAD ((thread_id)0xffff)

struct thread_name {
	union {
		struct {
			thread_id parent;  /* NO_THREAD for T0 */
			uint16_t child_no; /* index among the children of its parent, from 1 */
		};
		uint32_t word; /* both; 0: free */
	};
};

#define PLACE_ALL UINT64_C(0) /* an agent that drains all stores of its thread */

#define PLACE_BITS 48

/* Which stores of which thread an agent drains: (owner + 1) << PLACE_BITS | place; 0: free. */
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
 * The interned names; they lie in the session segment, and the table never shrinks during a session. Several processes (workers of one
 * search, explore/shared/common.h) may add names at the same time, and each may die at any moment. So a name is one word, which a compare-and-swap
 * puts into the first free place, and it stays there. The counts are raised afterwards; if the process dies before, the next process that
 * meets the name raises them.
 */
struct thread_names {
	uint32_t count;  /* entries in use, at least 1 once initialised */
	uint32_t agents;
	struct thread_name name[MAX_THREADS];
	struct agent_name agent[MAX_AGENTS]; /* [i] has the id MAX_THREADS + i */
};
_Static_assert(sizeof(struct thread_names) == 57352, "saved searches and all workers share this layout: bump SESSION_VERSION when it changes");

static inline int is_agent(thread_id t)
{
	return t >= MAX_THREADS && t != NO_THREAD;
}

void thread_names_init(struct thread_names *names);

/* Returns the id of child `child_no` (from 1) of `parent`, and adds it when it is new. NO_THREAD when the table is full. */
thread_id thread_names_intern(struct thread_names *names, thread_id parent, unsigned child_no);

/* Returns the id of the agent that drains what thread `owner` stores at `place`, and adds it when it is new. NO_THREAD when the table is
   full, or when `place` is no address. */
thread_id agent_intern(struct thread_names *names, thread_id owner, uint64_t place);
/* The thread whose buffer agent t drains; for a thread: t itself. */
thread_id agent_owner(const struct thread_names *names, thread_id t);

/* Writes the name, such as "T0.1.2", "T0.1.2~" or "T0.1.2~5ac0", to buf (always terminated) and returns buf. */
char *thread_name_format(const struct thread_names *names, thread_id t, char *buf, size_t size);

/* Parses such a name and interns what is new. Returns NO_THREAD when the text is no name. */
thread_id thread_name_parse(struct thread_names *names, const char *text);

#endif
