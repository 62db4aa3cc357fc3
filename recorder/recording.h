/*
 * A recording: one failing schedule, everything needed to run it again and to read it.
 *
 * The `.simul` file is text (docs/format.md is its specification, recorder/format.c writes and reads
 * it). In memory it is this structure; every string is owned by it and freed by recording_free.
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
#include "sched/robust.h"

#define RECORDING_VERSION 8

enum rec_frame_flags {
	REC_FRAME_USER = 1,    /* code of the program's author: not libc, libstdc++, nor inlined system headers, nor simul.h */
	REC_FRAME_INLINED = 2, /* inlined into the next frame outwards */
};

struct rec_frame {
	char *function; /* demangled; NULL when unknown */
	char *dir;      /* directory of the source file; NULL when unknown */
	char *file;     /* base name of the source file; NULL when unknown */
	int line;       /* 0 when unknown */
	char *module;   /* base name of the object file; NULL when unknown */
	uint64_t offset; /* of the return address in it */
	uint32_t flags; /* enum rec_frame_flags */
};

struct rec_stack {
	size_t n;
	struct rec_frame *frame; /* innermost first */
};

#define REC_VALUE 16 /* bytes of the largest value that is kept */

/* What was in the bytes that a step touched: in the eyes of its thread, of an UPDATE in everybody's. Little-endian, as they lie there. */
struct rec_value {
	uint8_t size; /* that of the step's object; 0: nothing is known */
	bool has_before, has_after; /* a LOAD has no `after` */
	uint8_t before[REC_VALUE], after[REC_VALUE];
};

/* An address that was a value somewhere, and what lies there. */
struct rec_pointer {
	uint64_t addr;
	char *name; /* "&pool[2]", "worker", "heap+0x40" */
};

/* One step of the schedule = one event. */
struct rec_step {
	thread_id thread; /* index into recording.threads; of an UPDATE: whose store it is */
	uint8_t alt, kind, flags;
	bool buffered;    /* a STORE that goes into the store buffer of its thread; an UPDATE moves it to memory */
	uint8_t epoch;    /* UPDATE: how many release fences of its thread came before the store, modulo UPDATE_EPOCHS */
	uint16_t number;  /* UPDATE: the how-manieth store of its thread, modulo UPDATE_NUMBERS */
	object_id obj[2]; /* ids: index + 1 into recording.objects. An access of memory has one, of kind OBJ_MEMORY */
	int32_t result;   /* 0 with stores into a buffer and their UPDATEs */
	uint64_t place;   /* of such: what their drain agent drains (struct agent_name) */
	struct rec_value value;
	struct rec_stack stack; /* where the program did it, our own frames left out; may be empty */
};

struct rec_object {
	uint8_t kind;    /* enum object_kind */
	uint32_t number; /* "mutex#3" */
	char *name;      /* "queue.lock", "pool[2].m", "main::m"; NULL when unknown */
	char *origin;    /* where it was first used, "pool.c:41"; NULL when unknown */
	uint64_t addr;   /* OBJ_MEMORY: the bytes that were accessed, [addr, addr + size) in one page; others: 0 */
	uint32_t size;
	struct value_type type; /* OBJ_MEMORY: how its values are to be read */
};

/* A page of memory with visible bytes. */
struct rec_page {
	uint64_t base;
	uint64_t shared[MEMORY_PAGE / 64]; /* one bit a byte */
};

/*
 * What the search had learnt of the program's memory when it ran this schedule (sched/memory.h, sched/await.h).
 * Whoever follows the schedule must know the same: it decides which accesses are events, what they are called,
 * and which threads wait in loops. Pages stand in the order of their numbers, nodes too.
 */
struct rec_memory {
	size_t n_pages, n_nodes, n_edges;
	struct rec_page *page;
	struct await_node *node;
	struct await_edge *edge;
};

/* What was tried to find out why it fails: another execution, that follows this schedule but for one thing. */
enum rec_try_kind {
	REC_TRY_ORDER = 0, /* step `step` of `thread`, or (NO_STEP) what that was about to do at the end, comes before step `before` */
	REC_TRY_STORE,     /* the buffered store of step `step`, of `thread`, reaches memory before step `before` */
	REC_TRY_GO_ON,     /* `thread`, which moved before step `before`, goes on there as long as it can; step NO_STEP */
	REC_TRY_KINDS
};
enum rec_try_result {
	REC_TRY_PASSES = 0, /* it came to its end and nothing failed */
	REC_TRY_FAILS,      /* in the same way */
	REC_TRY_OTHERWISE,  /* it failed in another way, or did not come to its end */
	REC_TRY_RESULTS
};
struct rec_try {
	uint8_t kind, result;
	thread_id thread;
	size_t step, before;
};

/* Threads are listed parents first, T0 at index 0: whoever interns the paths in this order into empty
   thread_names gets thread ids that equal the indices. */
struct rec_thread {
	char *path;      /* "T0.1" */
	char *start;     /* start routine's name, or NULL */
	uint8_t pending_kind; /* what it was about to do when the execution ended; EV_NONE: it had ended */
	object_id pending_obj[2];
	thread_id waits_for; /* NO_THREAD, or who holds what it waits for */
	struct rec_stack stack; /* where it was at the end */
};

/* What the program calls a point in a thread (simul_label). */
struct rec_label {
	size_t before; /* how many steps came before; in the order of this */
	thread_id thread;
	char *text;
};

/* A step of the cycle that shows that sequential consistency does not allow the schedule. */
struct rec_cycle {
	size_t step;  /* index into recording.steps */
	uint8_t next; /* enum robust_step: how it comes before the next one; the last leads back to the first */
};

/* What a failure BUG_MEMORY is about; see struct session_block. */
struct rec_block {
	uint32_t error; /* enum memory_error */
	bool write;
	uint64_t addr, size, block, block_size;
	thread_id owner[2];        /* who allocated and who freed it; NO_THREAD: nobody, or not known */
	struct rec_stack stack[2]; /* where */
};

struct recording {
	uint32_t version;
	char *written_by; /* version of simul that wrote it, "0.1.0" */
	/* what was run */
	char *program;   /* path as started, absolute */
	char *origin;    /* proof of who wrote it (cli/collect/origin.h), hexadecimal; NULL: none */
	char *build_id;  /* hex, or "" */
	char **argv;     /* NULL-terminated, argv[0] included */
	char **env;      /* NULL-terminated "NAME=value": the environment that matters */
	char **hidden;   /* NULL-terminated "NAME=digest": variables whose values are secrets, which are not kept */
	/* the size of the whole environment, terminators included: it decides where the first stack lies. 0 unknown */
	uint32_t env_entries, env_bytes;
	uint64_t stack_limit; /* RLIMIT_STACK, it decides where everything else lies; 0 unknown */
	char *cwd;
	char *stdin_file; /* NULL: /dev/null or terminal */
	/* options that change what a schedule means */
	uint32_t threads_backend; /* enum session_threads */
	uint32_t spurious, max_steps;
	uint64_t start_time, seed;
	uint64_t patience; /* as in session_config */
	uint32_t late_exit; /* the same */
	uint32_t patch, fail_on_race, memory_check; /* as in session_config */
	char **patch_patterns; /* --patch, NULL-terminated */
	struct session_pool pool;
	uint32_t model, robustness;   /* as in session_config */
	char *strategy;  /* which found it */
	uint64_t execution; /* which execution of the search it was, from 1 */
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
	struct rec_pointer *pointers; /* by address, each once */
	size_t n_tries;
	struct rec_try *tries;
	/* the failure */
	uint32_t bug_kind; /* enum bug_kind */
	thread_id bug_thread;
	int signal, status;
	uint64_t signature;
	char *message;   /* one line */
	char *where;     /* "pool.c:88", or NULL */
	struct rec_stack stack;
	struct rec_block block; /* BUG_MEMORY; error MEMORY_NONE: nothing is known */
	size_t n_cycle;  /* BUG_ROBUSTNESS; may be 0 */
	struct rec_cycle *cycle;
	char *output;    /* what the failing execution wrote to stdout and stderr (tail), or NULL */
	unsigned preemptions;
	/* the schedule as the search found it, when a simpler one that fails in the same way took its place; steps 0: it is that one */
	struct {
		unsigned preemptions, switches;
		size_t steps;
	} found;
	/* preemptions that the execution that was found needs in the order of its events that has the fewest, + 1: at least so many, and so many
	   are enough; 0: not known. As bounds count them (explore/preempt.h): leaving a thread that yields or sleeps is one */
	struct {
		unsigned least, enough;
	} needs;
	/* the longest wait that timed out, of those that --patience could have kept waiting; ns 0: none did */
	struct {
		uint64_t ns;
		size_t step; /* from 1 */
	} timed_out;
	bool fewest; /* all schedules with fewer preemptions were tried (replay/minimize.h), and do not fail in this way */
	unsigned confirmed, confirm_tries; /* n of m replays gave the same failure */
};

/* An empty recording: every string NULL or "", bug_thread NO_THREAD. Never NULL (memory use is checked). */
struct recording *recording_new(void);
void recording_free(struct recording *r); /* NULL is ignored */
void rec_stack_free(struct rec_stack *stack);
struct rec_stack rec_stack_copy(const struct rec_stack *stack);
void rec_memory_free(struct rec_memory *m);
struct rec_memory rec_memory_copy(const struct rec_memory *m);

/* The bytes that an event names with these objects and this span: all of a memory access, obj[1]'s of another event.
   false when it names none in these pages. */
bool rec_memory_bytes(const struct rec_memory *m, const object_id obj[2], uint8_t span, uint64_t *addr,
	uint32_t *size);

/* The innermost frame of the user's code; the innermost of all when there is none; NULL for an empty stack. */
const struct rec_frame *rec_stack_user_frame(const struct rec_stack *stack);

/* "pool.c:88", or "function" or "libfoo.so+0x12" when that is all that is known, into buf; returns buf.
   frame may be NULL: "". */
char *rec_frame_where(const struct rec_frame *frame, char *buf, size_t size);

/* What the object is called in a report: its name, or "mutex#3". 0 or out of range: "". */
char *rec_object_text(const struct recording *r, object_id o, char *buf, size_t size);

/* What lies at the address: the name that was found for it when it was a value; NULL: none. */
const char *rec_pointer_name(const struct recording *r, uint64_t addr);

/* The path of the agent that moves a buffered store to memory, "T0.1~" or "T0.1~5ac0", of the store or its UPDATE. */
char *rec_agent_text(const struct recording *r, const struct rec_step *s, char *buf, size_t size);

/* Writes to a temporary name in the same directory and renames when complete and synced.
   0, or -errno; *why (if not NULL) points to a static or thread-local text. */
int recording_write(const struct recording *r, const char *path, const char **why);

enum recording_error {
	RECORDING_OK = 0,
	RECORDING_MISSING,   /* no such file, unreadable */
	RECORDING_NOT_ONE,   /* not a recording at all */
	RECORDING_INCOMPLETE, /* truncated: written only in part */
	RECORDING_TOO_NEW,   /* a later version of the format */
	RECORDING_CORRUPT,   /* checksum or syntax */
};
/* Reads and checks. On failure returns NULL, *err says which kind, and message (size bytes) is filled with one
   sentence for the user that names the file, the line and what to do. */
struct recording *recording_read(const char *path, enum recording_error *err, char *message, size_t size);

/* The same from and to memory (recording_format: *r must be in range, as recording_write checks): *size bytes,
   malloc()ed, not terminated; `name` is for the message. */
char *recording_format(const struct recording *r, size_t *size);
struct recording *recording_parse(const char *text, size_t size, const char *name, enum recording_error *err,
	char *message, size_t message_size);

const char *bug_kind_text(unsigned kind); /* "deadlock", "assert", ... as in --json */
int bug_kind_parse(const char *text);

const char *rec_try_kind_text(unsigned kind); /* "order", "store", "go-on" */
int rec_try_kind_parse(const char *text);     /* or -1 */
const char *rec_try_result_text(unsigned result); /* "passes", "fails", "otherwise" */
int rec_try_result_parse(const char *text);       /* or -1 */

/* Something worth trying; `broader`: only when the question before it was not answered by REC_TRY_PASSES. */
struct rec_question {
	struct rec_try try; /* without a result */
	bool broader;
};
/* What of the recording is worth trying, most telling first: the orders that its diagnosis names, then its switches, preemptions and
   the last ones first. Writes at most `most`; returns how many. */
size_t recording_questions(const struct recording *r, struct rec_question *out, size_t most);

const char *cycle_step_text(unsigned step); /* enum robust_step: "before", "order", "loose", "delayed" */
int cycle_step_parse(const char *text);     /* or -1 */

#define NO_STEP SIZE_MAX

/*
 * Store buffers: for each step of a STORE into a buffer partner[i] becomes the step of its UPDATE (NO_STEP when it had not
 * reached memory at the end), for an UPDATE that of its STORE; NO_STEP for every other step. `partner` has room for n_steps. false:
 * there is an UPDATE without a store; *step (may be NULL) is the first such.
 */
bool recording_pair_stores(const struct recording *r, size_t *partner, size_t *step);

/* Did the LOAD take some of its bytes from the store buffer of its thread? */
static inline bool rec_step_forwarded(const struct rec_step *s)
{
	return s->kind == EV_LOAD && (s->flags & EVF_FORWARDED);
}
/* EVF_FAILED, which means something else in a load. */
static inline bool rec_step_failed(const struct rec_step *s)
{
	return s->kind != EV_LOAD && (s->flags & EVF_FAILED);
}

/*
 * Counts preemptions: switches away from a thread that could have gone on and has further events.
 * Not counted: leaving a thread whose next operation was blocked at that moment, whose last event gave
 * way by itself (yield, sleep, the start of a wait), or that has no further event in the recording. An UPDATE is nobody's event: it
 * neither is a switch nor comes between two events of a thread.
 */
unsigned recording_preemptions(const struct recording *r);
/* Steps of another thread than the one before, preemptions included. An UPDATE is nobody's, as above. */
unsigned recording_switches(const struct recording *r);

#endif
