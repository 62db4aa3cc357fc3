/*
 * TruSt over Mazurkiewicz traces: the search tree, and how a place in it is kept. explore/trust.md has the argument.
 *
 * Paper: Kokologiannakis, Marmanis, Gladstein, Vafeiadis, "Truly stateless, optimal dynamic partial order reduction" (POPL 2022).
 * There                                        here
 *   execution graph G, order of addition <_G    nodes [0, n) of the search, in the order in which they were added
 *   next_P(G), added maximally                  a *plain* step: the scheduler's next choice
 *   backward revisit of r by w                  struct revisit: an event `a` gives way to the events F
 *   cprefix(w)                                  W: what happens before F
 *   maximality condition                        no event of F of an earlier revisit is deleted
 *
 * The path from the root of the tree to where the search is = the nodes, and one struct revisit for each revisit on it, which
 * keeps what it deleted.
 */
#ifndef SIMUL_TRUST_H
#define SIMUL_TRUST_H

#include "explore/feasible.h"
#include "explore/search.h"
#include "explore/vclock.h"

/* What goes with a node. */
struct mark {
	struct event pending; /* what the thread of its event announced after it; EV_NONE: nothing */
	uint64_t name[2];     /* of its objects */
	/* others[at .. + n): other ways to go on that were open after it to its thread, or to the thread that it pokes. Those of the next
	   node follow. */
	uint32_t other_at, other_n;
	uint32_t fresh;       /* events [fresh, this] were added in one step */
	uint32_t choosy;      /* index + 1 of the latest event, maybe this one, whose operation could have gone on in another way */
	uint32_t switches;    /* so many times the thread changes in [0, this] */
	uint8_t flagged;      /* it belongs to the F of a revisit: it is never deleted below */
	uint8_t pad_[3];
};

/* Where the enumeration of the revisits from one graph stands: the latest one found. */
struct cursor {
	uint32_t a;      /* index + 1 of the event that gives way; 0: not begun */
	uint32_t f, w;   /* how many of picks[] name the events of F, and then those of W that are named */
	uint32_t at;     /* where in picks[] they stand */
	uint32_t done;   /* only those of a death were to be found, or nothing is left */
};

struct revisit {
	struct event a;     /* gave way; label in the state [0, base) */
	uint32_t base;      /* its index: nodes [0, base) stay */
	uint32_t w, f;      /* events of W and F, in this order from base on */
	uint32_t deleted;   /* nodes kept in `saved` (from base on) */
	uint32_t choices;   /* of theirs in saved_choices, */
	uint32_t others;    /* and in saved_others */
	uint8_t deadly;     /* the process died right after a */
	uint8_t by_death;   /* F is an event after which the process dies, or died in another execution */
	uint8_t joint;      /* F and a complete a round of a barrier together */
	uint8_t alone;      /* nothing but a could be chosen of its thread there */
	struct cursor cursor;
	uint32_t doubtful;  /* of some of F it is not known what becomes of them */
	uint32_t alive;     /* number + 1 of the latest revisit before it whose events are all among nodes [0, base); 0: none */
};

/* A barrier of which a round was completed: how many threads it takes. */
struct barrier_known {
	uint64_t name;
	uint64_t size;
};

/* An event to be repeated or tried: of W, or of F. */
struct planned {
	struct event ev;
	uint64_t name[2];
	uint32_t at;      /* its index before the revisit; NO_INDEX: it was pending */
	uint32_t pad_;
};

static inline struct mark *mark_at(struct search *s, uint32_t i)
{
	return (struct mark *)vec_data(s, &s->marks) + i;
}
static inline const struct event *others_of(struct search *s, const struct mark *m)
{
	return (struct event *)vec_data(s, &s->others) + m->other_at;
}
static inline struct revisit *revisit_at(struct search *s, uint32_t k)
{
	return (struct revisit *)vec_data(s, &s->revisits) + k;
}
static inline struct planned *plan_at(struct search *s, uint32_t k)
{
	return (struct planned *)vec_data(s, &s->plan) + k;
}
/* First index behind the events of a revisit. */
static inline uint32_t behind(const struct revisit *r)
{
	return r->base + r->w + r->f;
}
/* The same of the latest revisit; 0: there was none. */
static inline uint32_t trust_floor(struct search *s)
{
	return s->revisits.n ? behind(revisit_at(s, s->revisits.n - 1)) : 0;
}
/* index + 1 of the latest event before node n that could have gone on in another way; 0: none. */
static inline uint32_t choosy_before(struct search *s, uint32_t n)
{
	return n ? mark_at(s, n - 1)->choosy : 0;
}

/* A part of the trace: nodes [0, from), and of those behind what clock `upto` of width w covers (NULL: all). */
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
 * The next revisit from the graph of all nodes, which have clocks, after *c: fills *out (all but what is saved) and
 * the plan (first w, then f events). With a bound on preemptions those that lead to nothing within it are counted and passed over. false:
 * there is none left.
 */
bool revisit_next(struct search *s, struct cursor *c, struct revisit *out, const struct await_table *await);

/* trust_foretell.c. Does what an event is depend on the state, apart from what enables it? */
bool changeable(const struct event *e);
/* Could the events conflict, whatever comes of f where it is performed? */
bool may_conflict(const struct event *f, const struct event *x);
/* Turns *f, pending (c->self = NO_INDEX) or an event of the trace (c->self), into what it would be at the end of what is left; *doubt:
   that is not known, and it is what has the most conflicts. */
void foretell(struct search *s, struct event *f, const struct cut *c, bool *doubt);
/* Is f, for which a gives way, enabled there? true when in doubt. */
bool may_be_enabled(struct search *s, const struct event *f, const struct event *a, const struct cut *c);
/*
 * Do f and event a of the trace, both arriving, complete a round of their barrier together after what is left (from a on)? Who of the others that arrive is the one to come last is settled: the one with the largest number. true as well when
 * the size of the barrier is not known yet.
 */
bool completes_together(struct search *s, const struct event *f, uint32_t a, const struct left *l);

/* trust.c: has thread t not more than one choice in the state of node i? */
bool alone(struct search *s, uint32_t i, thread_id t);
/* A search that has come to its end begins again, with another bound. */
void trust_again(struct search *s, uint32_t preemptions);

/* trust_bound.c: a revisit to events f[0 .. n), with so many clocks of w numbers of what happens before them, leads to nothing within the
   bound on preemptions. `stays`: clock of what is flagged. */
bool bound_exceeded(struct search *s, const struct planned *f, uint32_t n, const uint32_t *pasts, const uint32_t *stays, uint32_t w,
	const struct await_table *await);
/* Counts the execution of all nodes, which is complete. */
void bound_count(struct search *s, const struct await_table *await, enum run_verdict verdict);

/* The topmost node completes a round of a barrier: its size is known from now on. false: no memory. */
bool barrier_learn(struct search *s);

/*
 * Rules that keep each graph from being reached twice: each revisit (a, F) above is a promise that F are all the earliest
 * events that conflict with a and come before its thread goes on. trust_promise.c
 *
 * May event g come next, after what is left? `past` is its clock there, NULL: it is found out when it matters.
 */
bool promises_allow(struct search *s, const struct event *g, const uint32_t *past, uint32_t w, const struct left *l);
/* The same for event j of the trace, as it is. */
bool promises_allow_node(struct search *s, uint32_t j, const struct left *l);
/* The execution is over (l->upto = NULL), or all nodes are about to be deleted but what is left. The promises whose
   time is over by that: were they kept? */
bool promises_kept(struct search *s, const struct left *l);
/* The latest revisit is new. */
void promise_made(struct search *s);

/* Clock of event g if it came next after what is left: c[0 .. w), w = slots. */
void past_of_next(struct search *s, const struct event *g, const struct left *l, uint32_t *c, uint32_t w);

#endif
