/*
 * Enumerates the consistent execution graphs of a program under RC11 (sched/rc11.h), each exactly once. explore/graph/graph.md has the argument.
 *
 * Paper: Kokologiannakis, Marmanis, Gladstein, Vafeiadis, "Truly stateless, optimal dynamic partial order reduction" (POPL 2022).
 *  Paper                                        Code
 *    execution graph G, order of addition <_G     struct rc11: its events, in the order in which they were added
 *    next_P(G)                                    graph_thread
 *    SetRF, SetCO: alternatives of an event       graph_next_choice
 *    backward revisit of r by w                   graph_next_revisit
 *    IsMaximallyAdded                             maximal
 *
 * Several searches can share the work: graph_split.c.
 *
 * One execution of the program is: graph_begin, then graph_thread and graph_step in alternation, then graph_end, which finds the next graph.
 * The caller asks graph_thread for the thread to run, and performs what graph_step returns: a load finds `found`, whatever memory holds.
 */
#ifndef SIMUL_GRAPH_H
#define SIMUL_GRAPH_H

#include "sched/rc11.h"

struct graph_config {
	struct rc11_limits limits;
	uint32_t saved;   /* number of events that revisits may keep at once; 0: limits.events * 16 */
	uint32_t shuffle; /* not 0: threads run in another order */
};

/* What a CALL (rc11_op.update) does to a mutex, whose name is rc11_op.operand. */
enum graph_call {
	GRAPH_NO_MUTEX,
	GRAPH_TAKES, /* and it waits until it can */
	GRAPH_TRIES,
	GRAPH_FREES
};

/* What a CALL (rc11_op.expected) does where it has two choices besides its place, such as a wait that time may end. */
enum graph_choice {
	GRAPH_ONE,    /* it has not */
	GRAPH_FIRST,  /* always possible. A new event takes it */
	GRAPH_SECOND
};

/* For each thread, a number of events. */
struct graph_known {
	uint16_t of[RC11_THREADS];
};

/* Where an event stands in the enumeration of what may take its place. */
struct graph_step {
	uint8_t revisiting; /* the alternatives of this event are done (CAS, UPDATE: of this store), its revisits are not */
	uint8_t flagged;    /* it made a load give way: it is not deleted below that */
	uint8_t fixed;      /* the latest revisit chose the store that it reads */
	uint8_t blocked;    /* a LOCK or CALL that was pending at the end of the execution: for its revisits only */
	uint8_t knows;      /* graph_knows says what happens before it by calls of the library */
	uint8_t took;       /* CALL: it took its mutex */
	uint8_t second;     /* CALL that took its first choice: the second was possible, too */
	uint8_t pad_;
	uint32_t more;      /* with blocked: how many such events come after it, the last ones of graph_pending_at */
	uint32_t gave_way;  /* index + 1 of the last event that gave way to it; 0: none. The next one is the same, with another place, or an older one */
	uint32_t placed;    /* the store after which it was placed then, in the graph of that revisit */
};

/* An event that a revisit took out, or put in. */
struct graph_event {
	struct rc11_op op;
	uint32_t store; /* for rc11_push */
	uint32_t was;   /* its index in the graph from which the revisit was made */
	struct graph_step step;
};

/* A revisit on the path to the current graph. */
struct graph_revisit {
	uint32_t base;  /* index of the event that gave way */
	uint32_t floor; /* events before this one are fixed: the next one is the event that gave way, or new */
	uint32_t saved; /* where its saved events begin */
};

struct graph_stats {
	uint64_t executions; /* graphs, each executed to its end */
	uint64_t events;     /* events performed in all of them */
	uint64_t revisits;
	uint64_t races; /* executions that ended with a race */
	uint64_t cut;        /* executions with more events than there is room for */
	uint32_t finished;
	uint32_t diverged;   /* the program did something else when it was repeated */
	uint32_t out_of_memory;
	uint32_t pad_;
};

struct graph {
	struct graph_config config;
	struct graph_stats stats;
	uint32_t at;       /* events of this execution so far */
	uint32_t same;     /* so many events of the graph are those of the execution that ended last */
	uint32_t root;     /* of the graph without revisits, so many events stay: the rest is of other searches */
	uint32_t revisits, saved_n;
	uint32_t failed;   /* the search cannot go on */
	uint32_t full;     /* this execution has too many events */
	uint32_t raced; /* index + 1 of the event that races with the last event of this execution; 0: none */
	uint32_t impossible; /* the graph's last event, a CALL, cannot be performed there: there is no such graph */
	uint32_t started;
	uint32_t pending;  /* pending LOCKs and CALLs, of this execution and those on the path to the current graph */
	uint32_t pending_here; /* of these, those of this execution */
	size_t model_at, steps_at, revisits_at, saved_at, plan_at, pending_at;
	size_t known_at, saved_known_at, plan_known_at; /* struct graph_known of events, saved ones, and the plan */
};

/* Returns the bytes that a search needs. */
size_t graph_bytes(const struct graph_config *config);

/* Makes a search in memory of graph_bytes() bytes, aligned to 8. Add the places with rc11_place(graph_model(g), ...) before an event uses them. */
void graph_init(struct graph *g, const struct graph_config *config);

/* Starts an execution. Returns false when all graphs were executed, or the search has failed. */
bool graph_begin(struct graph *g);

/* Returns the thread that performs the next event. enabled[t] says whether thread t < threads has an operation that can
   be performed. Returns -1 when there is none, and when the execution must end (stats.diverged, full, raced,
   impossible). */
int graph_thread(struct graph *g, const uint8_t *enabled, uint32_t threads);

/*
 * Performs the operation of the thread that graph_thread returned. Returns NULL when the execution must end. If the
 * event races with an earlier one (raced), it is the last event of the execution, and what it found means nothing.
 */
const struct rc11_event *graph_step(struct graph *g, const struct rc11_op *op);

/* Says what happens before the event that was performed last: for each thread, that many of its events. Call it for
   events whose order comes from the library, before the next event of any thread. What a graph has kept is not
   changed. */
void graph_knows(struct graph *g, const uint32_t *clock);
/* Says whether the CALL that was performed last took its mutex, and whether it took its first choice and could have
   taken the second one. */
void graph_did(struct graph *g, bool took, bool second);
/* Returns the choice of the next event, if that is a CALL of the graph which is repeated, else GRAPH_FIRST. */
enum graph_choice graph_next_call(const struct graph *g);

/* Call it before graph_end for each thread that waits for a LOCK or CALL, in any order. */
void graph_blocked(struct graph *g, const struct rc11_op *op);

/* Ends the execution, and finds the graph of the next one. */
void graph_end(struct graph *g);

/* Returns event i as graph_put takes it. */
struct graph_event graph_event_at(struct graph *g, uint32_t i);
/* Adds an event, with what it knows, if step.knows. */
void graph_put(struct graph *g, const struct graph_event *e, const struct graph_known *known);
/* Finds the next graph to execute. Sets stats.finished when there is none. */
void graph_advance(struct graph *g);
/* Adds to the newest event what it knows, and keeps it. */
void graph_learn(struct graph *g, const struct graph_known *known);

/* ---- graph_revisit.c ----
   Puts the next graph in place of the current one, in which the newest event, a store, makes an earlier load give way. Returns false when
   there is none left; then the graph is as before. */
bool graph_next_revisit(struct graph *g);
/* Goes back to the graph from which the latest revisit was made. */
void graph_undo_revisit(struct graph *g);

/* ---- graph_split.c: what is left of a search, as bytes that another one can continue ----
   Both need the same limits, shuffle and places. Between two executions only: after graph_init or graph_end. */
size_t graph_packed_bytes(const struct graph *g);
/* to: graph_packed_bytes(), aligned to 8. */
void graph_pack(struct graph *g, void *to);
/* Puts it in the place of what g has. Its counters go on. Returns false if it does not fit. */
bool graph_unpack(struct graph *g, const void *from);
/*
 * Divides what is left. rest: g, packed. If it returns true, g has one part, and `rest` becomes the other one. Each has
 * at least one graph that was not executed. Otherwise g has nothing of use, and `rest` still has everything. The part
 * of g begins as near to the root of the tree as possible, so it may be large.
 */
bool graph_split(struct graph *g, void *rest);

static inline struct rc11 *graph_model(struct graph *g)
{
	return (struct rc11 *)((char *)g + g->model_at);
}
static inline struct graph_step *graph_step_at(struct graph *g, uint32_t i)
{
	return (struct graph_step *)((char *)g + g->steps_at) + i;
}
static inline struct graph_revisit *graph_revisit_at(struct graph *g, uint32_t k)
{
	return (struct graph_revisit *)((char *)g + g->revisits_at) + k;
}
static inline struct graph_event *graph_saved_at(struct graph *g, uint32_t k)
{
	return (struct graph_event *)((char *)g + g->saved_at) + k;
}
static inline struct rc11_op *graph_pending_at(struct graph *g, uint32_t k)
{
	return (struct rc11_op *)((char *)g + g->pending_at) + k;
}
static inline struct graph_known *graph_known_at(const struct graph *g, uint32_t i)
{
	return (struct graph_known *)((char *)g + g->known_at) + i;
}
static inline struct graph_known *graph_saved_known_at(const struct graph *g, uint32_t k)
{
	return (struct graph_known *)((char *)g + g->saved_known_at) + k;
}
static inline struct graph_known *graph_plan_known_at(const struct graph *g, uint32_t k)
{
	return (struct graph_known *)((char *)g + g->plan_known_at) + k;
}
/* Events that the revisit in progress keeps, in the order in which they are added again. */
static inline struct graph_event *graph_plan_at(struct graph *g, uint32_t k)
{
	return (struct graph_event *)((char *)g + g->plan_at) + k;
}

#endif
