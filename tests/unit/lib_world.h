/* A world driven by hand: announce an operation, see what is enabled, perform it. */
#ifndef SIMUL_LIB_WORLD_H
#define SIMUL_LIB_WORLD_H

#include "base/arena.h"
#include "sched/strategy.h"
#include "sched/world.h"

/* The fixture: T0 and the three threads that it created, T1 to T3; none has a pending operation. */
extern struct world *W;
extern struct trace TRACE;
extern struct step ST; /* the latest step */
extern bool READY;     /* the answer for descriptors and signals */

int world_setup(void **state);          /* no spurious wake-ups */
int world_setup_spurious(void **state); /* one for each thread */
int world_setup_patient(void **state);  /* none; TIMED expires late */

int world_setup_discrete(void **state); /* none; time passes only when nothing else can happen */
int world_setup_first(void **state);    /* none; the serial result of a barrier goes to the thread with the smallest id */

object_id O(enum object_kind kind, unsigned n);
struct op OP(unsigned kind, object_id o);
struct op OP2(unsigned kind, object_id o, object_id o2);
struct op TIMED(struct op op); /* deadline: 1000 */
struct op TYPED(struct op op, unsigned type);
struct op ARG(struct op op, uint64_t a0, uint64_t a1);
struct op CANCELPOINT(struct op op);

void say(unsigned t, struct op op);         /* announces an operation */
unsigned alts(unsigned t);                  /* the enabled alternatives */
int64_t go(unsigned t);                     /* performs ALT_NORMAL, which must be enabled; returns the result */
int64_t go_alt(unsigned t, unsigned alt);
int64_t run(unsigned t, struct op op);      /* announces, then performs until the operation is complete */
void blocked(unsigned t);                   /* asserts that thread t has no enabled alternative */
int misuse(unsigned t, struct op op);       /* announces and performs; returns the misuse */
void lock(unsigned t, unsigned m);          /* normal mutex m */
void unlock(unsigned t, unsigned m);

#endif
