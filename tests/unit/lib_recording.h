/* Hand-made recordings for the tests of the format and of the reports. */
#ifndef SIMUL_TEST_RECORDING_H
#define SIMUL_TEST_RECORDING_H

#include "recorder/recording.h"

/* Starts a recording of "/home/ann/bank_test" with thread T0 (main). */
struct recording *sample_new(void);
thread_id sample_thread(struct recording *r, const char *path, const char *start);
object_id sample_object(struct recording *r, unsigned kind, unsigned number, const char *name, const char *origin);
/* A stack of one user frame (function NULL: an empty stack). */
struct rec_stack sample_stack(const char *function, const char *file, int line);
/* Appends a step at function file:line and returns it for further changes. */
struct rec_step *sample_step(struct recording *r, thread_id t, unsigned kind, object_id a, object_id b,
	const char *function, const char *file, int line);
/* Sets the operation that a thread had pending at the end. */
void sample_pending(struct recording *r, thread_id t, unsigned kind, object_id a, object_id b, thread_id waits_for,
	const char *function, const char *file, int line);

/* Three threads that lock a, b, c in a cycle. */
struct recording *sample_deadlock(void);
/* A waiter that starts to wait after the signal. */
struct recording *sample_lost_wakeup(void);
/* A failed assertion after a preemption, with output. */
struct recording *sample_assert(void);
/* Two threads that race on `counter` with plain increments. T0.1 then spins on flags[1] for ever. */
struct recording *sample_memory(void);
/* Store buffering under TSO: both threads store and read the other's variable before either store reached memory. */
struct recording *sample_tso(void);
/* Message passing under PSO: `ready` reaches memory, `data` does not. `flags` of the stores: EVF_*. */
struct recording *sample_pso(uint8_t flags);
/* sample_memory with values of 4 bytes, some of a structure type, and with pointers. */
struct recording *sample_values(void);
/* sample_tso with results of experiments. */
struct recording *sample_tries(void);
/* Message passing under RC11: `ready` is read, and then an older value of `data`. Orders prevent it: `release` at the
   store and `acquire` at the load of `ready`. */
struct recording *sample_orders(void);
/* Append a store to the buffer of t, and an update of such a store of the same thread and place. */
struct rec_step *sample_store(struct recording *r, thread_id t, object_id o, uint64_t place, int line);
struct rec_step *sample_update(struct recording *r, thread_id t, object_id o, uint64_t place, unsigned number);
/* An object of kind memory. */
object_id sample_range(struct recording *r, unsigned number, const char *name, uint64_t addr, uint32_t size);
/* A random valid recording; its strings may contain any bytes. Depends on *seed and advances it. */
struct recording *sample_random(uint64_t *seed);
uint64_t sample_next(uint64_t *seed);

#endif
