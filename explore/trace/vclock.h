/*
 * Vector clocks over the nodes of a search: which event happens before which.
 *
 * Happens-before is the transitive closure of: program order; creation of a thread before its first event; dependent events in the order of
 * the trace (events_dependent; with store buffers see buffer.h). clock(j)[slot] is the number of events of that slot's thread that happen
 * before event j or are j. So i -> j iff clock(j)[slot(i)] >= idx(i). A thread gets its slot when it is created.
 *
 * Nodes keep their clocks while they stay on the stack, so only the new part of a trace costs time. (JACM 2017, section 10, keeps clocks
 * for each accessed object; here the chains of chain.h serve that purpose.)
 */
#ifndef SIMUL_VCLOCK_H
#define SIMUL_VCLOCK_H

#include "explore/search.h"

struct slot {
	thread_id thread;
	uint16_t pad_;
	uint32_t born;      /* index of the event that created the thread; 0 for the first thread */
	uint32_t created;   /* born + 1, or 0 when there is no creation */
	uint32_t last;      /* index + 1 of its last event, 0 none */
	uint32_t last_poke; /* index + 1 of the last POKE of it, 0 none */
	uint32_t count;     /* events so far */
	uint32_t stores;    /* thread: see struct node. The next two are for a drain agent */
	uint32_t oldest, newest; /* its first STORE without UPDATE, and its last STORE; index + 1 */
};

/* Position of a walk along one chain (chain.h). */
struct walk {
	uint32_t at;    /* index + 1 of the next event; 0 = done */
	uint32_t bytes; /* memory cell: the bytes still of interest; RECV: whether its SEND and other RECVs still are */
};

/* A walk, latest first, over the events before position `before` that are dependent with `e` and belong to another thread. `e` need not
   be part of the trace. For an `e` with more than two chains, only one walk may be in progress at a time. */
struct preds {
	const struct event *e;
	bool own_past;   /* events of e's own thread happen before e, so the walk stops at them */
	uint32_t n;      /* number of e's chains */
	struct walk walk[2]; /* one walk for each chain; with more than two, they are in SCRATCH_WALKS */
	uint32_t poke;   /* index + 1 of the next POKE of e's thread */
	uint32_t all;    /* index + 1 of the next event that everything depends on (event_with_all) */
	uint32_t scan;   /* linear walk (ends, POKEs): index + 1 of the next event; 0 = not used or done */
	struct forward forward; /* bytes that e reads from its buffer: events on these are skipped */
	const uint32_t *past; /* clock of what the caller has processed, or NULL: the walk may end where this covers all of it */
	uint32_t past_w;
	uint32_t forwarded; /* position in the list of loads that an UPDATE was forwarded to before: see forwarded_first */
};

/* Links nodes [s->trace.analysed, n) and computes their clocks. Returns false when memory is used up. */
bool clocks_extend(struct search *s, uint32_t n);
/* Forgets the clocks of nodes [n, s->trace.analysed). */
void clocks_truncate(struct search *s, uint32_t n);

/* Returns whether event i happens before event j or is j. */
static inline bool happens_before(struct search *s, uint32_t i, uint32_t j)
{
	const struct node *nodes = vec_data(&s->core, &s->trace.nodes), *a = nodes + i, *b = nodes + j;
	const uint32_t *clocks = vec_data(&s->core, &s->trace.clocks);
	return i <= j && a->slot < b->clock_w && clocks[b->clock_at + a->slot] >= a->idx;
}
/* Returns whether clock c of width w covers event i. */
static inline bool clock_covers(struct search *s, const uint32_t *c, uint32_t w, uint32_t i)
{
	const struct node *n = node_at(s, i);
	return n->slot < w && c[n->slot] >= n->idx;
}
/* Joins the clock of event i into c (w = number of slots, at least that of event i). */
void clock_join(struct search *s, uint32_t *c, uint32_t i);

/* Returns whether event i is known to come after all earlier events on object o, which is not memory. */
static inline bool is_gate(struct search *s, uint32_t i, object_id o)
{
	const struct node *n = node_at(s, i);
	return n->gates >> (n->ev.obj[0] != o) & 1;
}

/* Start the walk for event node[j].ev (j < analysed), and for an event `e` that would come after all nodes. */
void preds_of_node(struct search *s, struct preds *p, const struct event *e, uint32_t j);
void preds_of_next(struct search *s, struct preds *p, const struct event *e);
/* Like preds_of_next, but starts at node i, which touches everything that `e` touches: events after it are skipped. */
void preds_from(struct search *s, struct preds *p, const struct event *e, uint32_t i);
bool preds_next(struct search *s, struct preds *p, uint32_t *index);
/* Marks `index`, just returned, and everything before it as processed: the walk skips what is ordered before it on the same object. */
void preds_cut(struct search *s, struct preds *p, uint32_t index);

/* Slot of a thread; NO_INDEX when it has none. */
uint32_t slot_of(struct search *s, thread_id t);
/* Gives the thread a slot. index: the event that made the thread known. */
uint32_t slot_add(struct search *s, thread_id t, uint32_t index, bool by_creation);
/* The slots that have an event at node `from` or later, one bit each. There must be fewer than 64 slots. */
uint64_t slots_from(struct search *s, uint32_t from);
/* Returns the index of the slot's first event at node i or later, or i when it is more than a few events before its last one. */
uint32_t slot_next(struct search *s, uint32_t slot, uint32_t i);
/* Returns whether event i is the last one of its slot. */
bool slot_ends(struct search *s, uint32_t i);
/* index + 1 of what precedes the next event of thread t in program order: its latest event, or its creation; 0 = nothing. */
uint32_t thread_last(struct search *s, thread_id t);

#endif
