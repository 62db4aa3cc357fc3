/* Hand-made memory events for the tests of happens-before. Byte offsets count from the first cell. */
#ifndef SIMUL_TESTS_LIB_HB_H
#define SIMUL_TESTS_LIB_HB_H

#include "sched/event.h"
#include "sched/hb.h"

#define TEST_CELL (OBJECT_MEMORY | 0x100) /* the first cell */
#define TEST_AGENT(t, k) ((thread_id)(MAX_THREADS + 4 * (t) + (k)))

/* An access by thread t to bytes first to last that takes effect at once. */
struct event test_access(unsigned t, unsigned kind, unsigned first, unsigned last, unsigned flags);
/* A store by thread t into the buffer of its agent k. */
struct event test_buffered(unsigned t, unsigned k, unsigned first, unsigned last, unsigned flags);
/* The update event of a buffered store. `number` is the one in update_result. */
struct event test_update(const struct event *store, uint32_t number);

#endif
