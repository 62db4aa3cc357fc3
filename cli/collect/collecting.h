/* Internal to collect_recording: a recording that is being made. */
#ifndef SIMUL_COLLECTING_H
#define SIMUL_COLLECTING_H

#include "cli/collect/collect.h"
#include "cli/collect/collect_memory.h"
#include "recorder/symbols/symbols.h"

struct collecting {
	const struct collect_input *in;
	const struct execution *e;
	struct recording *r;
	struct symbols *symbols;
	char *maps;       /* /proc/PID/maps of the process; NULL: no process exists */
	thread_id *index; /* by thread_id of the session: index into r->threads, or NO_THREAD */
	struct memory_objects memory;
	object_id n_plain; /* objects that are not memory; they come first and keep their numbers */
};

/* Returns whether the innermost frame of the failure is the instruction itself, not a return address. */
bool collect_is_exact(const struct session_bug *b);
/* Returns the stack with names; if it is empty, the frame of `pc` (0: none). `exact`: see collect_is_exact. */
struct rec_stack collect_stack(const struct collecting *c, const struct session_stack *s, uint64_t pc, bool exact);
/* Returns the index of a thread in the recording; NO_THREAD: it is not in it. */
thread_id collect_thread(const struct collecting *c, uint32_t t);

/* Describes the failure. Steps, threads and objects must be in the recording already. */
void collect_failure(struct collecting *c);

#endif
