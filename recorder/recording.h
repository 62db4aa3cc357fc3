/*
 * A recording: one failing schedule, with everything needed to run it again and to read it.
 *
 * The `.simul` file is text. docs/format.md specifies it; recorder/format/ writes and reads it.
 * In memory it is this structure, which owns all its strings. recording_free frees them.
 */
#ifndef SIMUL_RECORDING_H
#define SIMUL_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/session.h"
#include "recorder/value_type.h"
#include "sched/await.h"
#include "sched/event.h"
#include "sched/memory.h"
#include "sched/memory_order.h"
#include "sched/robust.h"

#define RECORDING_VERSION 15

enum rec_frame_flags {
	REC_FRAME_USER = 1,    /* code of the user: not libc, libstdc++, inlined system headers, simul.h or a test framework */
	REC_FRAME_INLINED = 2, /* inlined into the next outer frame */
};

struct rec_frame {
	char *function; /* demangled; NULL when unknown */
	char *dir;      /* directory of the source file; NULL when unknown */
	char *file;     /* base name of the source file; NULL when unknown */
	int line;       /* 0 when unknown */
	char *module;   /* base name of the object file; NULL when unknown */
	uint64_t offset; /* of the return address in the module */
	uint32_t flags; /* enum rec_frame_flags */
};

struct rec_stack {
	size_t n;
	struct rec_frame *frame; /* innermost first */
};

#define REC_VALUE 16 /* bytes of the largest value that is kept */

/* The bytes that a step accessed, as its thread sees them (for an UPDATE: as all threads see them). Little-endian, in memory order. */
struct rec_value {
	uint8_t size; /* size of the step's object; 0: the value is not known */
	bool has_before, has_after; /* a LOAD has no `after` */
	uint8_t before[REC_VALUE], after[REC_VALUE];
};

/* An address that occurs as a value, and the name of what is stored there. */
struct rec_pointer {
	uint64_t addr;
	char *name; /* "&pool[2]", "worker", "heap+0x40" */
};

/* One step of the schedule = one event. */
struct rec_step {
	thread_id thread; /* index into recording.threads; for an UPDATE: the thread that made the store */
	uint8_t alt, kind, flags;
	bool buffered;    /* a STORE that goes into its thread's store buffer; an UPDATE moves it to memory */
	uint8_t epoch;    /* UPDATE: number of release fences of its thread before the store, modulo UPDATE_EPOCHS */
	uint16_t number;  /* UPDATE: index of the store among those of its thread, modulo UPDATE_NUMBERS */
	object_id obj[2]; /* index + 1 into recording.objects; 0: none. A memory access has one, of kind OBJ_MEMORY */
	int32_t result;   /* 0 for buffered stores and their UPDATEs */
	uint64_t place;   /* for these two: the place that their drain agent drains (struct agent_name) */
	struct rec_value value;
	struct rec_stack stack; /* the program's stack at the step, without simul's frames; may be empty */
};

struct rec_object {
	uint8_t kind;    /* enum object_kind */
	uint32_t number; /* "mutex#3" */
	char *name;      /* "queue.lock", "pool[2].m", "main::m"; NULL when unknown */
	char *origin;    /* where it was first used, "pool.c:41"; NULL when unknown */
	uint64_t addr;   /* OBJ_MEMORY: the bytes [addr, addr + size), all in one page; other objects: 0 */
	uint32_t size;
	struct value_type type; /* OBJ_MEMORY: the type of its values */
};

/* A page of memory with visible bytes. */
struct rec_page {
	uint64_t base;
	uint64_t shared[MEMORY_PAGE / 64]; /* bit set, one bit for each byte */
	uint64_t late[MEMORY_PAGE / 64];   /* those that became visible in the middle of the execution */
};

/*
 * What the search knew of the program's memory when it ran this schedule (sched/memory.h, sched/await.h).
 * A replay must have the same knowledge: it decides which accesses are events, how they are named,
 * and which threads wait in loops. Pages and nodes are in the order of their numbers.
 */
struct rec_memory {
	size_t n_pages, n_nodes, n_edges;
	struct rec_page *page;
	struct await_node *node;
	struct await_edge *edge;
	uint64_t raced; /* the word on which the processes race whose race is the failure; 0: it is another failure */
};

/* An experiment to find the cause of the failure: another execution that follows this schedule except in one point. */
enum rec_try_kind {
	REC_TRY_ORDER = 0, /* step `step` of `thread`, or (NO_STEP) its pending operation at the end, comes before step `before` */
	REC_TRY_STORE,     /* the buffered store of `step`, of `thread`, reaches memory before step `before` */
	REC_TRY_CHOICE,    /* step `before`, a choice of a scheduler, is value number `step`; from there on the
			      scheduler has its own order */
	REC_TRY_GO_ON,     /* `thread`, which ran just before step `before`, continues there as long as it can; step is NO_STEP */
	REC_TRY_KINDS
};
enum rec_try_result {
	REC_TRY_PASSES = 0, /* the execution ends without a failure */
	REC_TRY_FAILS,      /* it fails in the same way */
	REC_TRY_OTHERWISE,  /* it fails in another way, or does not come to its end */
	REC_TRY_RESULTS
};
struct rec_try {
	uint8_t kind, result;
	thread_id thread;
	size_t step, before;
};

/* A place in the code at which a replay used a stronger memory order than the program has there (RC11). */
struct rec_stronger {
	uint8_t order; /* enum rc11_order: the one that the replay used */
	size_t step;   /* the first step that the access or fence there made */
};
/* The replays of the schedule with stronger memory orders. */
struct rec_orders {
	unsigned runs;  /* how many there were; 0: none was made, and the rest is 0 */
	bool prevented; /* with the orders of `place` the schedule cannot be followed beyond `step`, or the race there
			   is gone. false: with seq_cst at each place it fails in the same way */
	bool fewest;    /* with one of them weaker, or left out, it fails in the same way */
	size_t n;       /* if prevented: at least 1. Else the number of places that were seq_cst, and `place` is NULL */
	struct rec_stronger *place;
	size_t step;    /* the step whose older store these orders forbid, or the race */
};

/* Threads are listed with parents before children, T0 at index 0. Interning the paths in this order into empty
   thread_names gives thread ids that equal the indices. */
struct rec_thread {
	char *path;      /* "T0.1" */
	char *start;     /* name of the start routine, or NULL */
	uint8_t pending_kind; /* pending operation at the end of the execution; EV_NONE: the thread had ended */
	object_id pending_obj[2];
	thread_id waits_for; /* the holder of what it waits for, or NO_THREAD */
	struct rec_stack stack; /* its stack at the end */
};

/* A text at a point of a thread. */
struct rec_label {
	size_t before; /* number of steps before it; labels are sorted by it */
	thread_id thread;
	uint8_t kind;  /* enum label_kind */
	char *text;
};

/* A step of the cycle which shows that sequential consistency does not allow the schedule. */
struct rec_cycle {
	size_t step;  /* index into recording.steps */
	uint8_t next; /* enum robust_step: its relation to the next step; the last one leads back to the first */
};

const char *label_kind_text(unsigned kind); /* enum label_kind: "label", "phase", "order" */

/* Details of a BUG_MEMORY failure; see struct session_block. */
struct rec_block {
	uint32_t error; /* enum memory_error */
	bool write;
	uint8_t object; /* enum object_kind: a call used such an object in these bytes; 0: it is an ordinary access, or a free */
	uint64_t addr, size, block, block_size;
	thread_id owner[2];        /* the threads that allocated and freed it; NO_THREAD: none, or not known */
	struct rec_stack stack[2]; /* of the allocation and of the free */
};

/* The program, and how it was started. */
struct rec_start {
	char *program;   /* path as started, absolute */
	char *build_id;  /* hex, or "" */
	char **argv;     /* NULL-terminated, argv[0] included */
	char **env;      /* NULL-terminated "NAME=value": the environment that is kept */
	char **hidden;   /* NULL-terminated "NAME=digest": variables with secret values, which are not kept */
	/* number and total bytes of all environment entries, terminators included: they decide where the first stack is. 0: unknown */
	uint32_t env_entries, env_bytes;
	uint64_t stack_limit; /* RLIMIT_STACK: it decides where all other memory is; 0: unknown */
	char *inherited; /* numbers of the descriptors above 2 that it inherited: "3 10"; NULL: none, or not known */
	char *cwd;
	char *stdin_file; /* NULL: /dev/null or terminal */
};

struct rec_failure {
	uint32_t kind;   /* enum bug_kind */
	thread_id thread;
	char *process;   /* what the program's own scheduler ran, such as a SystemC process; NULL: nothing */
	int signal, status;
	uint64_t signature;
	char *message;   /* one line */
	char *where;     /* "pool.c:88", or NULL */
	struct rec_stack stack;
	struct rec_block block; /* BUG_MEMORY; error MEMORY_NONE: no details are known */
	size_t n_cycle;  /* BUG_ROBUSTNESS; may be 0 */
	struct rec_cycle *cycle;
	char *output;    /* last part of what the failing execution wrote to stdout and stderr, or NULL */
};

struct recording {
	uint32_t version;
	char *written_by; /* version of simul that wrote the file, "0.1.0" */
	char *origin;    /* proof of the user that wrote the file (cli/collect/origin.h), hexadecimal; NULL: none */
	struct rec_start start;
	struct settings settings;
	char **patch_patterns; /* --patch, NULL-terminated */
	struct session_pool pool;
	char *strategy;  /* the strategy that found it */
	uint64_t execution; /* number of the execution in the search, from 1 */
	/* the schedule */
	size_t n_threads;
	struct rec_thread *threads;
	size_t n_objects;
	struct rec_object *objects;
	struct rec_memory memory;
	size_t n_steps;
	struct rec_step *steps;
	size_t n_labels;
	struct rec_label *labels;
	size_t n_pointers;
	struct rec_pointer *pointers; /* sorted by address, without duplicates */
	size_t n_tries;
	struct rec_try *tries;
	struct rec_orders orders;
	struct rec_failure failure;
	unsigned preemptions;
	/* the original schedule, when a simpler one that fails in the same way has replaced it; steps 0: it has not been replaced */
	struct {
		unsigned preemptions, switches;
		unsigned choices; /* of other values than 0 */
		size_t steps;
	} found;
	/* lower and upper bound of the preemptions that the original execution needs, each + 1; 0: not known. The minimum is over all
	   orders of its events. Counted as bounds count (explore/trace/preempt.h): leaving a thread that yields or sleeps is a preemption */
	struct {
		unsigned least, enough;
	} needs;
	/* the longest wait or sleep that time ended although another thread could have run; ns 0: none */
	struct {
		uint64_t ns;
		size_t step; /* from 1 */
		thread_id other; /* that thread; in older recordings the first one */
	} timed_out;
	bool fewest; /* all schedules with fewer preemptions were tried (replay/minimize.h), and none fails in this way */
	bool fewest_choices; /* all schedules with fewer choices of other values than 0 were tried (replay/choices.h),
				and none fails in this way */
	unsigned confirmed, confirm_tries; /* number of replays with the same failure, and of all replays */
};

/* Returns an empty recording: every string is NULL or "", failure.thread is NO_THREAD. Never NULL (running out of memory ends simul). */
struct recording *recording_new(void);
void recording_free(struct recording *r); /* NULL is ignored */
void rec_stack_free(struct rec_stack *stack);
struct rec_stack rec_stack_copy(const struct rec_stack *stack);
void rec_memory_free(struct rec_memory *m);
struct rec_memory rec_memory_copy(const struct rec_memory *m);

/* Sets *addr and *size to the bytes that an event with these objects and this span names: those of a memory access, or of obj[1] for
   another event. Returns false when it names no bytes in these pages. */
bool rec_memory_bytes(const struct rec_memory *m, const object_id obj[2], uint8_t span, uint64_t *addr,
	uint32_t *size);

/* Returns the innermost frame of the user's code, else the innermost of all. NULL for an empty stack, and for one that has only the code of the C
   library that starts and ends programs. */
const struct rec_frame *rec_stack_user_frame(const struct rec_stack *stack);

/* Writes "pool.c:88" into buf, or "function" or "libfoo.so+0x12" when no line is known; returns buf.
   For a NULL frame: "". */
char *rec_frame_where(const struct rec_frame *frame, char *buf, size_t size);

/* Returns the innermost frame of the user's code that has a line; if there is none, as above. */
const struct rec_frame *rec_stack_line_frame(const struct rec_stack *stack);

/* Returns the frame of an atomic access that is not a wrapper of it (std::atomic<T>::load): the innermost such frame
   that has a line. It is that of the user's line, or of a library that this calls. NULL if there is no user's line. */
const struct rec_frame *rec_stack_access_frame(const struct rec_stack *stack);

/* Writes the place of the user's code as rec_frame_where does. If that is a function without a line, as in a stripped
   library, the line from which it was called follows: "event_del (server.c:41)". Returns buf. */
char *rec_stack_where(const struct rec_stack *stack, char *buf, size_t size);

/* Returns whether another object has the object's name, as two instances of a local variable do, or one field in two heap objects. A futex may have the
   name of its word. */
bool rec_name_is_shared(const struct recording *r, object_id o);

/* Writes the object's name in reports, or "mutex#3", into buf; "" for o = 0 or out of range. Returns buf. */
char *rec_object_text(const struct recording *r, object_id o, char *buf, size_t size);

/* Returns the recorded name of what is stored at the address, or NULL. */
const char *rec_pointer_name(const struct recording *r, uint64_t addr);

/* Writes the path of the agent that moves a buffered store to memory, "T0.1~" or "T0.1~5ac0". `s` is the store or its UPDATE. */
char *rec_agent_text(const struct recording *r, const struct rec_step *s, char *buf, size_t size);

const char *bug_kind_text(unsigned kind); /* "deadlock", "assert", ... as in --json */
int bug_kind_parse(const char *text);

const char *rec_try_kind_text(unsigned kind); /* "order", "store", "choice", "go-on" */
int rec_try_kind_parse(const char *text);     /* or -1 */
const char *rec_try_result_text(unsigned result); /* "passes", "fails", "otherwise" */
int rec_try_result_parse(const char *text);       /* or -1 */

const char *rec_order_text(unsigned order); /* enum rc11_order: "acquire", "acq_rel", ... */
int rec_order_parse(const char *text);      /* or -1 */
/* "fails"; if prevented "prevented", and with `fewest` too "fewest". Parsing gives 0, 1 and 2, or -1. */
const char *rec_orders_result_text(const struct rec_orders *o);
int rec_orders_result_parse(const char *text);

const char *cycle_step_text(unsigned step); /* enum robust_step: "before", "order", "loose", "delayed" */
int cycle_step_parse(const char *text);     /* or -1 */

#define NO_STEP SIZE_MAX

/*
 * Pairs stores with their UPDATEs. For a buffered STORE, partner[i] becomes the step of its UPDATE, or NO_STEP when it had not
 * reached memory at the end; for an UPDATE, the step of its STORE; for any other step NO_STEP. `partner` has room for n_steps.
 * Returns false when an UPDATE has no store; then *step (if step is not NULL) is the first such UPDATE.
 */
bool recording_pair_stores(const struct recording *r, size_t *partner, size_t *step);

/* For a step with an older alternative (RC11): returns the store that comes directly after the one that it reads, or
   after which it is placed, in modification order; NO_STEP: it is unknown. */
size_t rec_step_overwritten(const struct recording *r, size_t step);

/* Returns whether the step names some of the bytes of object o. False for objects that are not memory. */
bool recording_touches(const struct recording *r, const struct rec_step *s, object_id o);

/* Returns whether the LOAD took bytes from its thread's store buffer. */
static inline bool rec_step_forwarded(const struct rec_step *s)
{
	return event_kind_bits(s->kind) == BITS_LOAD && (s->flags & EVF_FORWARDED);
}
/* Returns whether the operation failed. In a load the bit EVF_FAILED has another meaning. */
static inline bool rec_step_failed(const struct rec_step *s)
{
	return event_kind_bits(s->kind) != BITS_LOAD && (s->flags & EVF_FAILED);
}

/*
 * Counts preemptions: switches away from a thread that could have continued and has further events.
 * Not counted: leaving a thread whose next operation was blocked at that moment, whose last event gave up the processor
 * voluntarily (yield, sleep, the start of a wait), or that has no further event in the recording. An UPDATE belongs to no thread: it
 * is not a switch and does not separate two events of a thread.
 */
unsigned recording_preemptions(const struct recording *r);
/* Counts the steps made by another thread than the step before, preemptions included. UPDATEs are ignored, as above. */
unsigned recording_switches(const struct recording *r);
/* Marks each step that follows a preemption; returns how many. */
unsigned recording_mark_preemptions(const struct recording *r, bool *mark);
/* Sets change[i] to the object that step i acquired exclusively, minus the object that it released, or to 0. */
void recording_mark_holds(const struct recording *r, int64_t *change);
/* Sets locked_at[o - 1] to the step that acquired object o if it is still held at the end, else to n_steps. */
void recording_find_locked(const struct recording *r, size_t *locked_at);

/* Returns whether the thread, at the end, waits until another one unparks it (AWAIT_PARKS). */
bool recording_is_parked(const struct recording *r, const struct rec_thread *t);

#endif
