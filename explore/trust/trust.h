/*
 * TruSt over Mazurkiewicz traces: the search tree, and how a position in it is stored. explore/trust/trust.md has the argument.
 *
 * Paper: Kokologiannakis, Marmanis, Gladstein, Vafeiadis, "Truly stateless, optimal dynamic partial order reduction" (POPL 2022).
 *  Paper                                       Code
 *    execution graph G, order of addition <_G    nodes [0, n) of the search, in the order in which they were added
 *    next_P(G), added maximally                  a *plain* step: the scheduler's next choice
 *    backward revisit of r by w                  struct revisit: an event `a` gives way to the events F
 *    cprefix(w)                                  W: what happens before F
 *    maximality condition                        no event of F of an earlier revisit is deleted
 *
 * The path from the root of the tree to the current position consists of the nodes and one struct revisit for each revisit on it, which
 * keeps the events that it deleted.
 */
#ifndef SIMUL_TRUST_H
#define SIMUL_TRUST_H

#include "explore/trace/feasible.h"
#include "explore/search.h"
#include "explore/trace/vclock.h"

/* Data of trust for a node. */
struct mark {
	struct event pending; /* the operation that the thread of its event announced after it; EV_NONE: none */
	uint64_t name[2];     /* names of the pending operation's objects */
	/* others[at .. + n): the other alternatives that were open after it to its thread, or to the thread that it pokes. Those of the
	   next node follow. */
	uint32_t other_at, other_n;
	uint32_t fresh;       /* events [fresh, this] were added in one step */
	uint32_t choosy;      /* index + 1 of the latest event, up to this one, whose operation had another alternative */
	uint32_t switches;    /* number of thread switches in [0, this] */
	uint8_t flagged;      /* it belongs to the F of a revisit: it is never deleted below that */
	uint8_t pad_[3];
};

/* Position in the enumeration of the revisits of one graph: the latest one found. */
struct cursor {
	uint32_t a;      /* index + 1 of the event that gives way; 0: not begun */
	uint32_t f, w;   /* number of entries of picks[] that name events of F, and of those after them that name events of W */
	uint32_t at;     /* where in picks[] they begin */
	uint32_t done;   /* the enumeration is over, or only the revisits of a death were wanted */
};

struct revisit {
	struct event a;     /* the event that gave way, as it was in the state [0, base) */
	uint32_t base;      /* its index: nodes [0, base) stay */
	uint32_t w, f;      /* numbers of events of W and of F, in this order from base on */
	uint32_t deleted;   /* number of nodes kept in `saved` (from base on) */
	uint32_t choices;   /* number of their choices in saved_choices */
	uint32_t others;    /* number of their entries in saved_others */
	uint8_t deadly;     /* the process died right after a */
	uint8_t by_death;   /* F is an event after which the process dies, or died in another execution */
	uint8_t joint;      /* F and a together complete a round of a barrier */
	uint8_t alone;      /* a was the only choice of its thread there */
	struct cursor cursor;
	uint32_t doubtful;  /* the outcome of some event of F is not known */
	uint32_t alive;     /* number + 1 of the latest earlier revisit whose events all lie among nodes [0, base); 0: none */
};

/* A barrier with a completed round, and the number of threads that a round takes. */
struct barrier_known {
	uint64_t name;
	uint64_t size;
};

/* An event of W that is to be repeated, or an event of F that is to be tried. */
struct planned {
	struct event ev;
	uint64_t name[2];
	uint32_t at;      /* its index before the revisit; NO_INDEX: it was pending */
	uint32_t pad_;
};

static inline struct mark *mark_at(struct search *s, uint32_t i)
{
	return (struct mark *)vec_data(&s->core, &s->trust.marks) + i;
}
static inline const struct event *others_of(struct search *s, const struct mark *m)
{
	return (struct event *)vec_data(&s->core, &s->trust.others) + m->other_at;
}
static inline struct revisit *revisit_at(struct search *s, uint32_t k)
{
	return (struct revisit *)vec_data(&s->core, &s->trust.revisits) + k;
}
static inline struct planned *plan_at(struct search *s, uint32_t k)
{
	return (struct planned *)vec_data(&s->core, &s->trust.plan) + k;
}
/* First index after the events of a revisit. */
static inline uint32_t behind(const struct revisit *r)
{
	return r->base + r->w + r->f;
}
/* The first index after the events of the latest revisit; 0: there was none. */
static inline uint32_t trust_floor(struct search *s)
{
	return s->trust.revisits.n ? behind(revisit_at(s, s->trust.revisits.n - 1)) : 0;
}
/* index + 1 of the latest event before node n whose operation had another alternative; 0: none. */
static inline uint32_t choosy_before(struct search *s, uint32_t n)
{
	return n ? mark_at(s, n - 1)->choosy : 0;
}

/* A part of the trace: nodes [0, from), and of the later ones those that clock `upto` of width w covers (NULL: all). */
struct left {
	uint32_t from;
	const uint32_t *upto;
	uint32_t w;
};
static inline bool is_left(struct search *s, const struct left *l, uint32_t k)
{
	return k < l->from || !l->upto || clock_covers(s, l->upto, l->w, k);
}

/*
 * Finds the next revisit after *c from the graph of all nodes, which must have clocks. Fills *out (except what is saved) and the plan
 * (first the w events of W, then the f events of F). With a bound on preemptions, revisits that lead to nothing within it are counted and
 * skipped. Returns false when there is none left.
 */
bool revisit_next(struct search *s, struct cursor *c, struct revisit *out, const struct await_table *await);

/* ---- trust_foretell.c ---- Returns whether the effect of an event depends on the state, apart from what enables it. */
bool changeable(const struct event *e);
/* Returns whether the events could conflict, whatever the outcome of f is where it is performed. */
bool may_conflict(const struct event *f, const struct event *x);
/* Sets *f, pending (c->self = NO_INDEX) or an event of the trace (c->self), to what it would be at the end of what the cut leaves.
   *doubt is set when that is not known; then *f is the outcome with the most conflicts. */
void foretell(struct search *s, struct event *f, const struct cut *c, bool *doubt);
/* Returns whether f is enabled at the event a that gives way to it; true when in doubt. */
bool may_be_enabled(struct search *s, const struct event *f, const struct event *a, const struct cut *c);
/*
 * Returns whether arrivals f and a, an event of the trace, together complete a round of their barrier after what is left (from a on). Of
 * the other arrivals, the one with the largest number counts as the last. Returns true as well while the size of the barrier is not known.
 */
bool completes_together(struct search *s, const struct event *f, uint32_t a, const struct left *l);

/* ---- trust.c ---- Returns whether thread t has at most one choice in the state of node i. */
bool alone(struct search *s, uint32_t i, thread_id t);
/* Restarts a search that has finished, with another bound. */
void trust_again(struct search *s, uint32_t preemptions);

/* ---- trust_bound.c ---- Returns whether a revisit to events f[0 .. n) leads to nothing within the bound on preemptions. `pasts`: for
   each, the clock (w numbers) of what happens before it. `stays`: clock of the flagged events. */
bool bound_exceeded(struct search *s, const struct planned *f, uint32_t n, const uint32_t *pasts, const uint32_t *stays, uint32_t w,
	const struct await_table *await);
/* Counts the execution of all nodes, which must be complete. */
void bound_count(struct search *s, const struct await_table *await, enum run_verdict verdict);

/* If the topmost node completes a round of a barrier, records the size of that barrier. Returns false when memory is used up. */
bool barrier_record(struct search *s);

/*
 * ---- trust_promise.c ---- Rules that keep each graph from being reached twice. Each revisit (a, F) above is a promise that F are all the
 * earliest events that conflict with a and come before a's thread continues.
 *
 * Returns whether event g may come next, after what is left. `past` is its clock there; NULL: it is computed when needed.
 */
bool promises_allow(struct search *s, const struct event *g, const uint32_t *past, uint32_t w, const struct left *l);
/* promises_allow for event j of the trace, unchanged. */
bool promises_allow_node(struct search *s, uint32_t j, const struct left *l);
/* Returns whether the promises that end here were kept. The execution is over (l->upto = NULL), or all nodes except what is left are
   about to be deleted. */
bool promises_kept(struct search *s, const struct left *l);
/* Call it after a revisit was added. */
void promise_made(struct search *s);

/* Computes the clock c[0 .. w), w = slots, that event g would have if it came next after what is left. */
void past_of_next(struct search *s, const struct event *g, const struct left *l, uint32_t *c, uint32_t w);

#endif
