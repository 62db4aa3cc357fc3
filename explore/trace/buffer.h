/*
 * Store buffers in the search: chronological traces.
 *
 * Paper: Abdulla, Aronis, Atig, Jonsson, Leonardsson, Sagonas, "Stateless model checking for TSO and PSO" (TACAS 2015), section 3 and
 * appendices B and C. With store buffers, happens-before differs from that of events_dependent in three ways:
 *
 *  - *Forced* edges, which no schedule reverses: a STORE before its UPDATE; the UPDATEs of a thread before its next event
 *    that needs an empty buffer; UPDATEs of one thread that keep their order (events_dependent knows which).
 *  - A LOAD does not depend on UPDATEs of its own thread, nor on what they hide: it reads its own store, from the buffer or from memory.
 *  - Bytes that a LOAD takes from its own buffer do not depend on other threads' writes before the UPDATE of that store. The load
 *    happens before the next write after that UPDATE. So dependence may change with the place in the trace.
 *
 * (The paper moves a forwarded load to the memory location when its store is updated; here the STORE keeps the list of its loads.)
 */
#ifndef SIMUL_BUFFER_H
#define SIMUL_BUFFER_H

#include "explore/tree/sleepset.h"

/* Links node i, which has its clock, after the threads' chains. Returns false when memory is used up. buffer_unlink removes it again. */
bool buffer_link(struct search *s, uint32_t i);
void buffer_unlink(struct search *s, uint32_t i);
/* Index of the STORE of UPDATE i, which must be linked. */
uint32_t buffer_store_of(struct search *s, uint32_t i);

/* Iterates over the events with forced edges to event *e, without the previous one of its own thread. `at`: index of *e, or NO_INDEX
   when it would come next. */
struct forced {
	const struct event *e;
	uint32_t next;  /* index + 1 of the next STORE of its owner to look at */
	uint32_t known; /* UPDATE: index + 1 of the latest STORE seen whose UPDATE is in its past */
	uint32_t own;   /* UPDATE: its STORE */
	uint32_t store; /* UPDATE: index + 1 of its STORE, to be returned */
	bool pending;   /* some STORE has no UPDATE that could come before *e, so *e cannot be performed there */
};
void forced_look(struct search *s, struct forced *f, uint32_t at);
static inline void forced_start(struct search *s, struct forced *f, const struct event *e, uint32_t at)
{
	*f = (struct forced){ .e = e };
	if (s->trace.buffered)
		forced_look(s, f, at);
}
bool forced_more(struct search *s, struct forced *f, uint32_t *index);
static inline bool forced_next(struct search *s, struct forced *f, uint32_t *index)
{
	return (f->store || f->next) && forced_more(s, f, index);
}

/* Sets *f to the bytes that node i reads from the buffer of its own thread (only a LOAD reads any). forward_of_next_load: the same for an
   event that would come after everything linked. */
void forward_of_load(struct search *s, uint32_t i, struct forward *f);
void forward_of_next_load(struct search *s, const struct event *e, struct forward *f);
static inline void forward_of_node(struct search *s, uint32_t i, struct forward *f)
{
	f->any = 0;
	if (s->trace.buffered && node_at(s, i)->ev.kind == EV_LOAD)
		forward_of_load(s, i, f);
}
static inline void forward_of_next(struct search *s, const struct event *e, struct forward *f)
{
	f->any = 0;
	if (s->trace.buffered && e->kind == EV_LOAD)
		forward_of_next_load(s, e, f);
}
/* Sets *f for item k of v, when the earlier items in use come before it (see `executed` in buffer.c). */
void forward_in_sequence(struct search *s, const struct sequence *v, uint32_t k, struct use use, struct forward *f);
/* Sets *f for the event of node i. The node and later ones need not be linked. */
void forward_unlinked(struct search *s, uint32_t i, struct forward *f);
/* Updates *f after event e was performed: bytes that the sleeping or planned load q reads from the store that e updates now come from
   memory. */
void forward_over(struct forward *f, const struct event *q, const struct event *e);

/* The bytes of cell o that a LOAD reads from memory, one bit each. */
unsigned forward_left(const struct event *e, object_id o, const struct forward *f);

/* Returns whether q and x are dependent (as events_dependent), given the bytes *qf and *xf that they read from their buffers. */
bool buffer_dependent(const struct event *q, const struct forward *qf, const struct event *x, const struct forward *xf);

/* Returns the load of forwards[*at - 1], as index + 1; 0 when *e does not write bytes that the load has from that STORE. Sets *at to the
   previous entry of the same STORE. */
uint32_t forwarded_next(struct search *s, const struct event *e, uint32_t *at);

/* Returns whether *e, a load, would find bytes of its own thread's buffer at the end of what the cut leaves. */
struct cut;
bool buffer_holds(struct search *s, const struct event *e, const struct cut *c);

#endif
