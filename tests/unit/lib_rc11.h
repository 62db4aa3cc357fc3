/*
 * Small programs of atomic accesses for the tests of RC11: their text, an interpreter on top of explore/graph/graph.h, random programs, and an oracle
 * that enumerates all candidates and checks the axioms of the paper. The oracle shares no code with sched/rc11*.c and explore/graph/.
 * For longer executions, rc_cyclic checks the order of the seq_cst events.
 */
#ifndef SIMUL_TEST_RC11_H
#define SIMUL_TEST_RC11_H

#include "explore/graph/graph.h"

#define RC_THREADS 5
#define RC_LENGTH 8
#define RC_PLACES 6
#define RC_REGS 4

enum rc_what {
	RC_LOAD,
	RC_STORE,
	RC_UPDATE,
	RC_CAS,
	RC_FENCE,
	RC_LOCK,
	RC_UNLOCK,
	RC_CREATE,
	RC_JOIN,
	RC_CALL
};

/* Calls of the library, for live_execute only: the oracle and rc_search do not know them. */
enum rc_call {
	RC_TRYLOCK,
	RC_WAIT, /* a condition variable, with the mutex `other` */
	RC_SIGNAL,
	RC_BROADCAST,
	RC_POST,
	RC_SEMWAIT,
	RC_SEMTRY,
	RC_RDLOCK,
	RC_WRLOCK,
	RC_TRYRD,
	RC_TRYWR,
	RC_CLAIM, /* a write lock that prefers writers */
	RC_RDUNLOCK,
	RC_WRUNLOCK,
	RC_BARRIER,
	RC_ONCE,
	RC_FUTEX_WAIT, /* while the word is 0 */
	RC_FUTEX_WAKE, /* one */
	RC_CALLS
};

/* Their objects, after the places: two mutexes are places. The semaphore begins with 1, the barrier is for two. */
enum rc_object {
	RC_COND = RC_PLACES,
	RC_SEM,
	RC_RWLOCK,
	RC_BARRIERS,
	RC_ONCES,
	RC_FUTEX, /* its word is RC_WORD */
	RC_OBJECTS
};

#define RC_WORD 0 /* a place */

/* A value: constant, or register + constant. */
struct rc_value {
	int reg; /* -1: none */
	int constant;
};

struct rc_line {
	enum rc_what what;
	enum rc_call call;
	int reg; /* where the value found goes */
	int place;
	enum rc11_order order, fail;
	enum rc11_update update;
	struct rc_value value, expected;
	int cond; /* register that must be cond_value, or the line is skipped; -1: none */
	int cond_value;
	int other; /* CREATE, JOIN; CALL */
	bool timed; /* CALL: it has a time limit */
};

struct rc_program {
	unsigned threads, places;
	bool calls; /* there are CALLs */
	bool futex; /* of a futex, so accesses of its word are calls, too */
	unsigned length[RC_THREADS];
	struct rc_line line[RC_THREADS][RC_LENGTH];
};

/* Names of events in a key: a thread and a line. */
#define RC_NAME(t, line) (uint8_t)(2 + (t) * RC_LENGTH + (line))
#define RC_NAMES (2 + RC_THREADS * RC_LENGTH)
#define RC_PARTS 4 /* of a call; the name of a part is RC_NAMES times its number more */
enum { RC_NONE = 0, RC_FIRST = 1, RC_DONE = 255 };

/* A graph, comparable with memcmp: of each line the store it reads (RC_FIRST: the initial value; RC_DONE: it reads nothing; RC_NONE: skipped),
   and the stores of each place in modification order. */
struct rc_key {
	uint8_t reads[RC_THREADS][RC_LENGTH];
	uint8_t order[RC_PLACES][RC_THREADS * RC_LENGTH];
	uint32_t found[RC_THREADS][RC_LENGTH];
	uint8_t calls[RC_OBJECTS][3 * RC_THREADS * RC_LENGTH]; /* if there are CALLs: of connected objects, in order */
	uint32_t races; /* whether accesses of it race; a search finds none in a complete execution */
};

struct rc_keys {
	struct rc_key *key;
	size_t n, cap;
	bool race[RC_NAMES][RC_NAMES]; /* pairs of lines that race in some graph */
};

void rc_add(struct rc_keys *k, const struct rc_key *key);
void rc_sort(struct rc_keys *k);
void rc_free(struct rc_keys *k);
/* Counts the entries that occur more than once in k, which must be sorted. */
size_t rc_repeated(const struct rc_keys *k);
/* Counts the entries of a that are not in b. Both must be sorted. */
size_t rc_missing(const struct rc_keys *a, const struct rc_keys *b);

/* Returns how many of the graphs have a race. */
size_t rc_racy(const struct rc_keys *k);
/* Makes graphs with races equal to those of a search that looks for none. */
void rc_forget_races(struct rc_keys *k);

/* Reads a program: threads separated by '|', lines by ';'. Lines: "x = 1 rlx", "a = x acq", "a = add x 1 rlx" (sub,
   xchg), "a = cas x 0 1 ar rlx", "fence sc", "lock m", "unlock m", "create 1", "join 1"; "if a == 1: ..." before one.
   "na" in place of an order: a plain load or store. Places x y z f, mutexes m n; registers a b c d. Returns false when
   it cannot. */
bool rc_read(struct rc_program *p, const char *text);
/* Prints a program in this form. */
void rc_print(const struct rc_program *p);

/* Thread 0 creates and joins the others; sections of mutexes; these may overlap each other, and joins; plain accesses
 * of the first place. */
enum rc_with {
	RC_JOINS = 1,
	RC_LOCKS = 2,
	RC_NESTED = 4,
	RC_PLAIN = 8
};
/* For rc_search: threads that wait for a mutex at the end take no part in revisits. */
#define RC_WITHOUT_BLOCKED (UINT32_C(1) << 31)
/* For rc_search: what is left is divided again and again, and each part is explored alone; the same, but the one who
   divides keeps what it gives; the same, but what is given gets lost. */
#define RC_DIVIDED (UINT32_C(1) << 30)
#define RC_DIVIDED_TWICE (UINT32_C(1) << 29)
#define RC_DIVIDED_LOST (UINT32_C(1) << 28)

/* Draws a program. *state is the state of the generator. */
void rc_draw(struct rc_program *p, uint64_t *state, unsigned with);

/* Draws a program with calls of the library. */
void rc_draw_calls(struct rc_program *p, uint64_t *state);
/* Draws a program with futex calls. */
void rc_draw_futex(struct rc_program *p, uint64_t *state);

/* Finds all consistent graphs, those of deadlocks among them, and their races. Returns false when there are more than
 * `most` candidates. */
bool rc_oracle(const struct rc_program *p, uint64_t most, struct rc_keys *out);

/* Executes the program until the search is finished. An execution that ends with a race is not in `out`, but the race
   is. Returns false when the search failed. */
bool rc_search(const struct rc_program *p, uint32_t shuffle, uint32_t without, struct rc_keys *out, struct graph_stats *stats);

/* Returns whether the order of the seq_cst events of the execution has a cycle. It computes the relations of the paper
   as matrices, from the clocks (RC11_HB). The time is more than quadratic in the number of events. */
bool rc_cyclic(const struct rc11 *g);

#endif
