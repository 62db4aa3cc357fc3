/*
 * Runs the programs of lib_rc11.h in the world under RC11 (sched/live.h), one execution at a time. The caller decides
 * which thread is next, and which store its access gets.
 */
#ifndef SIMUL_TEST_LIVE_H
#define SIMUL_TEST_LIVE_H

#include "sched/strategy.h"
#include "tests/unit/lib_rc11.h"

/* What an execution leaves out, besides enum rc11_without. */
#define WITHOUT_CALLS (UINT32_C(1) << 30) /* happens-before does not hear of locks */
#define WITHOUT_STORES (UINT32_C(1) << 29) /* the latest store is always chosen */

/* Objects that some call of any execution so far has connected have one list in rc_key.calls. */
void live_forget_connections(void);

/* How it runs: accesses (not compare-and-swaps) and fences are relaxed, and get their orders when they are picked. */
#define STRENGTHENED (UINT32_C(1) << 28)

/* Accesses of the word of a futex meet the latest store. */
#define LATEST_WORD (UINT32_C(1) << 27)

struct live_driver {
	/* Both return an index into view->choices; a negative result ends the execution. */
	int (*pick)(void *self, const struct sched_view *view);
	int (*pick_store)(void *self, const struct sched_view *view);
	void (*observe)(void *self, const struct event *e); /* may be NULL */
	void (*ordered)(void *self, const struct sched_view *view); /* may be NULL */
	void *self;
};

/* Executes the program. The threads that none of its threads creates are created by one more, T0, which does nothing
   else. Threads begin and end as soon as they can unless `all_events`: then the driver decides that, too. Returns
   whether the execution came to its end. *key: its graph; *trace: its events, until the next call. */
bool live_execute(const struct rc_program *p, uint32_t without, bool all_events, const struct live_driver *driver,
	struct rc_key *key, const struct trace **trace);

#endif
