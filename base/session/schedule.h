/* A schedule to follow, and what is recorded of an execution beside its events. */
#ifndef SIMUL_SESSION_SCHEDULE_H
#define SIMUL_SESSION_SCHEDULE_H

#include <stdint.h>

#include "base/session/limits.h"

struct session_stack {
	uint32_t n;
	uint32_t pad_;
	uint64_t pc[SESSION_STACK];
};

/* A stack, and where its frames are in memory. */
struct session_frames {
	struct session_stack stack;
	uint32_t above[SESSION_STACK]; /* bytes from the frame's end (its canonical frame address) to the thread's stack_hi; 0: unknown */
};

/* The memory values before and after an event, as its thread sees them (for an UPDATE: as all threads see them). For a read or
   write of a descriptor, `after` is an int64_t: the result of the call. Written by the target. */
struct session_value {
	uint8_t size;  /* bytes; 0: no value is known */
	uint8_t known; /* bit 0: `before`; bit 1: `after` */
	uint8_t pad_[6];
	uint8_t before[SESSION_VALUE], after[SESSION_VALUE];
};

/* One step of a schedule to follow, and the operation that was recorded there. Written by the supervisor. */
struct forced_step {
	uint16_t thread;
	uint8_t alt;
	uint8_t kind;      /* expected event kind; EV_NONE: do not compare */
	uint32_t obj[2];   /* expected objects */
	uint8_t span;      /* expected bytes, see struct event */
	uint8_t order;     /* RC11: the step is made with this order (enum rc11_order) besides its own */
	uint8_t pad_[2];
};

struct session_object {
	uint32_t kind;   /* enum object_kind */
	uint32_t number; /* "mutex#3" */
	uint64_t addr;
	uint64_t pc;     /* where it was first used */
	uint32_t owner;  /* thread_id that holds it, or 0xffff */
	uint32_t pad_;
};

/* The final state of a thread. Written by the target: `alive` and `waits_for` when an execution failed, the stack at
   each announcement when keep_stacks. */
struct session_thread {
	uint32_t alive;     /* 1: created and not ended; the pending array has its pending operation */
	uint32_t waits_for; /* thread_id of the thread that holds the awaited object, or 0xffff */
	uint64_t start_pc;  /* its start routine; 0 for T0 */
	uint64_t stack_hi;  /* the program's frames on the thread's stack lie below this address */
	uint64_t tls;       /* the thread pointer; the thread-local variables lie below it */
	struct session_frames frames; /* stack at the pending operation, innermost frame first */
};

/* Of an execution's waits that timed out but could have lasted with a higher --patience: the longest. */
struct session_timed_out {
	uint64_t ns; /* virtual time; 0: no wait timed out */
	uint32_t step; /* event, counted from 1 */
	uint32_t other; /* a thread that could have run instead */
};

enum label_kind {
	LABEL_PROGRAM = 0, /* a name that the program gives to a point in a thread (simul_label) */
	LABEL_PHASE,       /* where the phase of a scheduler begins: "10 ns, delta 3" */
	LABEL_ORDER,       /* what a scheduler chose in the step before: "b before a, c". The others follow in the
			      order of their values */
	LABEL_KINDS
};

/* A text at a point of a thread. Written by the target, when keep_stacks. */
struct session_label {
	uint32_t step;   /* number of events before it */
	uint32_t thread; /* thread_id */
	uint32_t kind;   /* enum label_kind */
	char text[SESSION_LABEL_TEXT];
};

#endif
