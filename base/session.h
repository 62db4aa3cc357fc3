/*
 * The session segment: the one piece of memory that the supervisor (cli/) and the target
 * (libsimul.so inside the program under test) share. It is a memfd. The target finds its number in the
 * environment variable SIMUL_SESSION.
 *
 * The comment of each struct or field says which side writes it. The supervisor never trusts the target: it checks every length and offset
 * that it reads from here against the size it created. The segment survives the target: when a target dies, the next one maps the segment
 * and continues. It is never rewound.
 *
 * Any change of layout needs a new SESSION_VERSION. A library of another version is refused with a message.
 */
#ifndef SIMUL_SESSION_H
#define SIMUL_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include "base/settings.h"

#define SESSION_MAGIC UINT64_C(0x316c756d69734c53)
#define SESSION_VERSION 55
#define SESSION_ENV "SIMUL_SESSION"
#define SESSION_PAGE 4096

#define SESSION_MESSAGE 1024  /* bytes of a message, including the terminator */
#define SESSION_STACK 64      /* frames of a stack */
#define SESSION_POOL 256      /* parked threads that the target may keep ready */
#define SESSION_PATH 40       /* bytes of the name of a pool thread, including the terminator */
#define SESSION_SIGNATURES 256
#define SESSION_LEVELS 32     /* most snapshots that one execution can have at a time */
#define SESSION_MODULES 256   /* modules that are described */
#define SESSION_REACHED 8192  /* most entries in the list of library functions that were patched when they were reached */
#define SESSION_SITES 16384   /* slots of the table of code that accesses visible bytes */
#define SESSION_HOLES 1024    /* most uncovered functions that are listed; all of them are counted */
#define SESSION_RACES 256     /* distinct races that are described */
#define SESSION_CIRCLE 8      /* threads of a circle that are reported */
#define SESSION_CYCLE 32      /* events of a cycle that are reported */
#define SESSION_LABELS 200    /* labels kept of one execution: the first ones */
#define SESSION_LABEL_TEXT 64 /* bytes of one label, including the terminator */
#define SESSION_OBJECTS 256   /* kinds of state that libc keeps between calls, and other resources with a name */
#define SESSION_CALLERS 3     /* most places of one exception that are named */
#define SESSION_UNSEEN 8      /* most libc functions with unseen accesses that are named */
#define SESSION_READS 8192    /* bytes of the names of environment variables that the program read */
#define SESSION_VALUE 16      /* bytes of the largest value that is recorded */

/* How executions are isolated from each other. AUTO: rewind where that is possible and pays off, otherwise fork. */
enum session_isolation { ISOLATION_FORK = 0, ISOLATION_EXEC, ISOLATION_REWIND, ISOLATION_AUTO };
/* Which tool controls a forced execution while it runs. Under a debugger there is no zygote, and threads are kernel threads. */
enum session_debug { DEBUGGED_BY_NOBODY = 0, DEBUGGED_BY_USER, DEBUGGED_BY_GDB };
enum session_mode {
	MODE_EXPLORE = 0, /* a strategy of explore/ chooses the steps */
	MODE_FORCED,      /* the schedule in the segment gives the steps (confirm, replay) */
	MODE_GUIDED,      /* a plan, stored in place of the schedule, gives the steps as far as it can be followed (minimize) */
};

/* The settings of the run. Written by the supervisor before the target starts, constant afterwards. */
struct session_config {
	struct settings settings; /* of each execution */
	uint32_t mode;        /* enum session_mode */
	uint32_t isolation;   /* enum session_isolation */
	uint32_t strategy;    /* enum explore_strategy */
	uint32_t shuffle;     /* see explore_config */
	uint32_t depth;       /* see explore_config */
	uint32_t keep_stacks; /* 1: record with each event its stack and the value it read or wrote (confirmation and replay) */
	uint32_t pause_at_end; /* 1: after the execution, keep the process alive until it is released */
	uint32_t describe_only; /* 1: fill session_sensors and stop before main */
	uint32_t jobs;        /* maximum number of workers that share this search */
	uint32_t worker;      /* index of this worker, from 0 */
	int32_t common_fd;    /* the target's descriptor of the memfd that workers share; -1: none */
	uint32_t bound;       /* explore_config.preemptions + 1; 0: none */
	uint32_t debug;       /* enum session_debug */
	uint32_t stop_at;     /* DEBUGGED_BY_USER: the execution waits in STATE_AT_STEP before this step, counted from 1 */
	uint32_t no_snapshots; /* 1: executions start only at the checkpoint (preload/life/snapshot.h) */
	uint32_t snapshot_every; /* for tests: take a snapshot every N events, whatever it costs; 0: when it pays off */
	uint32_t certify;     /* enum explore_certify */
	uint32_t budgeted;    /* see explore_config */
	uint32_t rounds;      /* 1: leave out rounds of waiting loops that change nothing (docs/rounds.md) */
	uint32_t sections;    /* 1: a critical section of a mutex is one step (sched/section.h) */
	uint32_t keep_passing; /* see explore_config */
	uint32_t machines;    /* 1: the shared memory is a copy of what several machines share (cli/machines/) */
	uint64_t max_executions; /* 0 = no limit */
	uint64_t hang_ns;     /* CPU time without a scheduling point after which an execution counts as hung */
};

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

/* Where the parts of the segment are, as byte offsets from its start. Written by the supervisor. cli/segment/segment_keep.c lists the parts
   that a search needs to continue in another segment. */
struct session_layout {
	uint64_t size;                       /* bytes of the whole segment */
	uint64_t events_off, events_cap;     /* struct event[cap]: trace of the running execution */
	uint64_t pending_off;                /* struct event[MAX_IDS] */
	uint64_t alts_off;                   /* uint8_t[MAX_IDS] */
	uint64_t names_off;                  /* struct thread_names */
	uint64_t explore_off, explore_size;  /* memory of explore/ */
	uint64_t forced_off, forced_cap;     /* struct forced_step[cap]: schedule to follow; MODE_EXPLORE: by the first execution of a search */
	uint64_t stacks_off, stacks_cap;     /* struct session_frames[cap]: one per event when keep_stacks */
	uint64_t values_off, values_cap;     /* struct session_value[cap]: one per event when keep_stacks */
	uint64_t objects_off, objects_cap;   /* struct session_object[cap]: filled when an execution failed */
	uint64_t threads_off, threads_cap;   /* struct session_thread[cap]: by thread_id, when keep_stacks */
	uint64_t files_off;                  /* struct journal: the program's changes to the file system */
	uint64_t memory_off;                 /* struct memory_table (sched/memory.h): which bytes are visible */
	uint64_t await_off;                  /* struct await_table (sched/await.h): known spin loops */
	uint64_t sections_off;               /* struct section_table (sched/section.h) */
	uint64_t steps_off;                  /* struct step_table (sched/step.h); only for the running execution */
	uint64_t sensors_off;                /* struct session_sensors: which code is observed, and which is not */
	uint64_t races_off;                  /* struct session_races */
	uint64_t patch_off, patch_size;      /* --patch: file name patterns, each terminated by 0, the last by two; after "lock:" and "leave:" patterns of --lock and --leave-out */
	/* The memory that workers share is mapped after the segment, and the thread names are mapped again at names_off. Unused when
	   common_size is 0. */
	uint64_t common_off, common_size;    /* the shared memory, which begins with struct session_common */
	uint64_t common_names, names_size;   /* the thread names: offset in the shared memory, and size in bytes (whole pages) */
	uint64_t common_search_off, common_search_size; /* memory of explore/shared/common.h, from the start of the segment */
};

/* The start of the memory that the workers of one search share, apart from the search itself. */
struct session_common {
	uint64_t begun;    /* executions of all workers: complete, running and planned ones; by the targets */
	uint64_t complete; /* the executions of `begun` that have ended. `begun` goes down again when a worker has nothing to plan, or its execution was redundant */
	uint32_t doorbell; /* futex: bumped with every worker's doorbell, so that the supervisor can wait for all of them */
	uint32_t pad_;
};

/* A shared object, or the program itself, and the result of patching it. Written by the target, once for each. */
struct session_module {
	char path[256];
	uint64_t base, text_bytes;
	uint32_t functions, covered, uncovered, accesses, not_hooked, microseconds;
	char refused[160]; /* why nothing in it was patched; "" when it was patched */
	uint32_t lazy;     /* 1: each function is patched when it is reached (preload/patch/lazy.h), and the numbers count only these functions */
	uint32_t executed; /* only for a refused module; 1: its code ran while other threads could observe its effects */
	uint64_t first;    /* if `executed`: the address at which its code was first entered */
};

/* What the sensors cover. Written by the target before the first execution, and again when code is loaded or reached. */
struct session_sensors {
	uint32_t tsan;     /* bit set. 1: some code calls the ThreadSanitizer ABI; 2: another compiler than gcc built some of that code */
	uint32_t modules, holes; /* totals; those beyond the arrays below are counted but not stored */
	uint32_t traps;    /* number of jumps into patched code at places that were not predicted */
	struct session_module module[SESSION_MODULES];
	struct {
		uint64_t addr;
		uint32_t module, reason; /* enum patch_reason */
	} hole[SESSION_HOLES];
	/* For certificates, collected over all executions including warm-up: the places in the code that accessed visible bytes (`site`, a
	   hash table of session_site() values), and the kinds of events (`kinds`). */
	uint32_t sites_full;
	uint32_t inline_futex; /* 1: the program makes futex calls by its own instruction, not by syscall() */
	uint64_t site[SESSION_SITES];
	uint64_t kinds[2]; /* one bit for each kind of event */
	uint64_t place[128]; /* for each kind: event.pc of its first event; 0: unknown */
	uint32_t outside_signals; /* 1: timers, children or other processes sent signals to the program */
	uint32_t generated_code;  /* 1: the program made memory executable (preload/modules/generated.h) */
	uint32_t early_unlocks;   /* 1: with store buffers, pthread_spin_unlock emptied one (preload/hooks/hook_spin.c) */
	uint32_t pad_;
	/* Functions that a process of the search patched when it reached them. Processes started later patch them before they run. */
	uint32_t n_reached;
	uint32_t objects;
	uint64_t reached[SESSION_REACHED];
	struct {
		uint64_t addr, size;     /* the address range that represents it */
		uint64_t each;           /* the range is an array of things of this size, which are numbered from 0; 0: it is one thing */
		uint64_t result, bytes;  /* memory of libc to which its functions return pointers; 0, 0: not known */
		char name[56];
	} object[SESSION_OBJECTS]; /* state inside libc (preload/libc/libc.def), and its streams */
};

/* Returns the entry of session_sensors.site for a place in the code; a slot with 0 is empty. `patched`: pc is an instruction of patched
   code. */
static inline uint64_t session_site(uint64_t pc, int patched)
{
	return pc << 1 | !patched;
}

/* Two unordered accesses. At least one writes, and at least one is not certainly atomic. */
struct session_race {
	uint64_t addr;
	uint32_t size;          /* bytes of the second access */
	uint32_t certain;       /* 1: one access is certainly not atomic; 0: one is a mov, which may be atomic in the source */
	uint32_t thread[2];     /* in execution order */
	uint32_t flags[2];      /* enum mem_flags of both */
	uint64_t count;         /* number of times it was seen */
	struct session_stack stack[2]; /* of both accesses; during the search, stack[0] has only the code address of the first access */
};
struct session_races {
	uint32_t n;     /* distinct races; a race is identified by its two code locations */
	uint32_t pad_;
	struct session_race race[SESSION_RACES];
};

/* One step of a schedule to follow, and the operation that was recorded there. Written by the supervisor. */
struct forced_step {
	uint16_t thread;
	uint8_t alt;
	uint8_t kind;      /* expected event kind; EV_NONE: do not compare */
	uint32_t obj[2];   /* expected objects */
	uint8_t span;      /* expected bytes, see struct event */
	uint8_t pad_[3];
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

#define SESSION_LIMITS 928 /* bytes for a struct rounds_limits */
#define SESSION_ENDLESS 672 /* bytes for a struct endless_limits */
#define SESSION_LOCK_WORDS 29808 /* bytes for a struct lock_words */
#define SESSION_RUN_ON_THREADS 64
#define SESSION_RUN_ON_EVENT 32 /* bytes for one event */

/* The end of the trace for which the strategy must still account while the execution runs on (preload/control/run_on.h). Written by the
   target. */
struct session_run_on {
	uint32_t active;     /* 1: the execution runs on */
	uint32_t n, threads; /* events and threads of the trace when the execution began to run on */
	uint32_t pad_;
	uint64_t random;
	_Alignas(8) uint8_t pending[SESSION_RUN_ON_THREADS * SESSION_RUN_ON_EVENT]; /* struct event[] */
	uint8_t alts[SESSION_RUN_ON_THREADS];
};

/* A name that the program gives to a point in a thread (simul_label). Written by the target, when keep_stacks. */
struct session_label {
	uint32_t step;   /* number of events before it */
	uint32_t thread; /* thread_id */
	char text[SESSION_LABEL_TEXT];
};

#define SIGNAL_HANG (SIGRTMAX - 2) /* sent by the supervisor to the target: the running execution hangs and must end */

enum bug_kind {
	BUG_NONE = 0,
	BUG_DEADLOCK,
	BUG_ASSERT,   /* failed assertion, abort, uncaught C++ exception */
	BUG_CRASH,    /* SIGSEGV, SIGBUS, SIGFPE, SIGILL, stack overflow, killed */
	BUG_EXIT,     /* non-zero exit status */
	BUG_MISUSE,   /* of a synchronisation object */
	BUG_HANG,     /* no scheduling point for too long */
	BUG_LIVELOCK, /* (awaiting threads only) */
	BUG_RACE,
	BUG_ROBUSTNESS,
	BUG_MEMORY,   /* invalid use of memory, see enum memory_error */
	BUG_KINDS
};

/* The kind of a BUG_MEMORY. */
enum memory_error {
	MEMORY_NONE = 0,
	MEMORY_FREED,        /* access to a block that was freed */
	MEMORY_BEYOND,       /* access beyond the end of a block */
	MEMORY_BEFORE,       /* access before the beginning of a block */
	MEMORY_DOUBLE_FREE,
	MEMORY_INVALID_FREE, /* free of a pointer that is not a block */
	MEMORY_STACK,        /* access to the frame of a function that returned, or to the stack of a thread that ended */
	MEMORY_ERRORS
};

/* Details of a memory error. Written by the target. */
struct session_block {
	uint32_t error;      /* enum memory_error */
	uint32_t write;      /* 1: the access is a write */
	uint32_t object;     /* enum object_kind: a call uses such an object in these bytes; 0: it is an ordinary access, or a free */
	uint32_t pad_;
	uint64_t addr, size; /* the accessed bytes; for a free: the argument, and size 0 */
	uint64_t block, block_size; /* the block concerned; 0, 0: not known. Not used by MEMORY_STACK */
	uint32_t owner[2];   /* thread_id of the allocating and of the freeing thread, or 0xffff; MEMORY_STACK: [0] owns the stack */
	struct session_stack stack[2]; /* stacks of the allocation and of the free; only confirmations and replays record them */
};

/* The failure of the execution that just ended. Written by the target. */
struct session_bug {
	uint32_t kind;         /* enum bug_kind; BUG_NONE: no failure */
	uint32_t thread;       /* thread_id in which it happened */
	int32_t signal;        /* BUG_CRASH, BUG_ASSERT: signal number, or 0 */
	int32_t status;        /* BUG_EXIT: exit status */
	uint32_t misuse;       /* BUG_MISUSE: enum misuse */
	uint32_t object;       /* object concerned, or 0 */
	uint64_t fault_addr;   /* BUG_CRASH */
	struct session_block memory; /* BUG_MEMORY */
	uint64_t signature;    /* equal bugs have equal signatures; never 0 for a bug */
	char message[SESSION_MESSAGE]; /* the text of the program's assertion, or a text of simul */
	struct session_stack stack;    /* of the thread */
	uint32_t cycle_n;              /* BUG_ROBUSTNESS: length of a shortest cycle, see struct robust_cycle (sched/robust.h) */
	/* Lower and upper bound of the preemptions that the execution needs, each + 1 (explore_need); 0: not known. Set in STATE_BUG_EXPLAINED */
	uint32_t needs, enough;
	uint32_t pad_;
	struct {
		uint32_t event, step;
	} cycle[SESSION_CYCLE];
};

enum session_state {
	STATE_STARTING = 0,  /* no execution yet (before the checkpoint) */
	STATE_RUNNING,       /* executions are running */
	STATE_BUG_WAIT,      /* an execution ended with a new bug; the target waits for the release */
	STATE_DONE,          /* the search is over: the strategy's begin() returned false */
	STATE_NO_THREADS,    /* the program ended before it created a thread */
	STATE_REFUSED,       /* the target cannot continue; `refusal` says why */
	STATE_STOPPED,       /* stopped because stop_request was set */
	STATE_DESCRIBED,     /* describe_only: session_sensors is filled; the target waits to be killed */
	STATE_PAUSED,        /* between two executions because pause_request was set; the target waits for the release */
	STATE_RESTARTED,     /* one of several workers found new shared memory or spin loops: the whole search restarts; the target waits for the release */
	STATE_ALONE,         /* one of several workers is about to change state that other workers would see (`outside_what`); it waits to be killed */
	STATE_AT_STEP,       /* before the step config.stop_at; the target waits for the release */
	STATE_BUG_EXPLAINED, /* follows STATE_BUG_WAIT: `needs` and `enough` of the bug are set if they could be found; the target waits for the release */
};

/* The purpose of the running executions. */
enum learning {
	LEARNING_NONE = 0, /* they belong to the search */
	LEARNING_RANDOM,   /* warm-up: random schedules, to find shared memory and spin loops */
};

/* State of the execution in progress. A new process needs it after the old one died during the execution. */
enum flight { FLIGHT_NONE = 0, FLIGHT_RUNNING, FLIGHT_ENDED };

/* Where the program did something: the first places that differ. Return addresses. */
struct session_callers {
	uint32_t n;    /* in pc[]; SESSION_CALLERS + 1: there are more. May be 0 although it was done */
	uint32_t done; /* 1: it was done */
	uint64_t pc[SESSION_CALLERS];
};

/* What the program did, while several threads lived, that simul does not explore (preload/control/exceptions.h). */
enum session_exception {
#define EXCEPTION(name, words) EXCEPT_##name,
#include "base/exceptions.def"
#undef EXCEPTION
	EXCEPTIONS
};

/* libc functions that the program called while it had several threads, and whose accesses are not observed. Written by the target. */
struct session_unseen {
	uint32_t n; /* functions in name[]; SESSION_UNSEEN + 1: there are more than name[] holds */
	char name[SESSION_UNSEEN][28];
	struct session_callers at[SESSION_UNSEEN];
};

/* Which environment variables the program has seen, in all its processes so far. Written by the target. */
struct session_reads {
	uint32_t all;   /* 1: assume that it has seen all variables, because it starts other programs or the names do not fit */
	uint32_t bytes; /* bytes of the names, each with its terminator */
	char name[SESSION_READS];
};

/* What a thread was doing when the exit of the process stopped it. */
enum cut_short {
	CUT_RUNNING = 1, /* the thread was still running: the exit was forced (sched/late_exit.h) */
	CUT_WAITING = 2, /* the thread waited for another process, which might have ended the wait later */
};

/* Threads that waited for each other when the process ended with status 0 (sched/circle.h). Written by the target. */
struct session_circles {
	uint64_t executions; /* of this search, that ended so */
	uint32_t n;          /* threads of the first one's circle, each followed by the one that it waits for; thread[] may hold fewer */
	uint32_t others;     /* 1: another execution ended with another circle */
	struct {
		uint32_t id;     /* thread_id */
		uint32_t pad_;
		uint64_t pc;     /* return address of the call, or of the access, that waits */
	} thread[SESSION_CIRCLE];
};

enum trust_misses {
	TRUST_HANDLERS = 1, /* ran signal handlers */
	TRUST_REQUEUES = 2, /* moved waiters to another futex */
};

/* The latest trial of life/what_if.h: the operations of the thread after the loop. */
#define SESSION_WHAT_IF 12
struct session_what_if_op {
	uint64_t what, state; /* hashes; state 0: unknown */
};
struct session_what_if {
	uint32_t result, n;
	struct session_what_if_op op[SESSION_WHAT_IF];
};

struct session_control {
	uint32_t state;        /* enum session_state; written by the target; the supervisor waits on doorbell */
	uint32_t doorbell;     /* futex: bumped by the target when the state changes, and by a waiter when it is released */
	uint32_t release;      /* futex: bumped by the supervisor to end the wait of STATE_BUG_WAIT, STATE_BUG_EXPLAINED, STATE_PAUSED or pause_at_end */
	uint32_t stop_request; /* written by the supervisor: finish the running execution, then stop */
	uint32_t pause_request; /* written by the supervisor: finish the running execution, then wait in STATE_PAUSED */
	int32_t supervisor;    /* the supervisor's pid as the target sees it; by the supervisor */
	uint32_t exec_stops;   /* 1: the main process asked to be traced and stops after its exec; see cli/target/place.h. Set by the process that
	                          calls exec; cleared by the supervisor when it has handled the stop */
	uint32_t randomised;   /* 1: memory of the main process is at random addresses; by the target */
	uint64_t stack_limit;  /* RLIMIT_STACK to restore after that exec; 0: it was not lowered; written by the same sides as exec_stops */
	int32_t main_pid;      /* process that runs the program up to the checkpoint; written by the supervisor */
	int32_t exec_pid;      /* process of the running execution; written by the target */
	uint32_t flight;       /* enum flight; written by the target */
	uint32_t flight_verdict; /* enum run_verdict, valid when FLIGHT_ENDED */
	uint32_t current;      /* thread_id of the thread that runs program code now */
	uint32_t trace_n;      /* events in the trace of the running execution */
	uint32_t trace_threads, trace_agents; /* see struct trace */
	uint32_t hang_request; /* supervisor: 1 = the running execution hangs, end it (with signal SIGNAL_HANG) */
	uint64_t progress;     /* bumped at every scheduling point; the watchdog reads it */
	uint64_t executions_started;
	uint32_t native_children; /* processes started by the program that created threads outside simul's control */
	uint32_t child_timers;    /* 1: a process that the program forked set a timer; by that process */
	uint32_t fork_sees, applied_fork_sees; /* 1: a child of fork looks at what other threads change; and the search takes that into account */
	uint32_t applied_child_reads; /* value of session_child_reads.changes that the search uses; all three by the target */
	uint32_t wait_expired;    /* by the target: a child process did not end within the time that a wait allows */
	uint32_t pool_parked;     /* pool threads that were ready when the running execution needed them; by the target */
	uint32_t begun;           /* by the target: the process of the last execution already planned the next one */
	uint32_t counted;         /* by the target: the planned or running execution is counted in session_common.begun */
	uint32_t turn;            /* futex: the child of the zygote that may run; see preload/life/zygote.c; by the target */
	uint32_t accounting;      /* 1 while the strategy ends or plans an execution: its state is inconsistent then */
	uint32_t learning;        /* enum learning; by the target */
	uint32_t restarts;        /* number of restarts of the search after discoveries of the warm-up */
	uint32_t applied_memory, applied_awaits; /* values of memory_table.changes and await_table.changes that the search uses */
	uint32_t begun_nodes, begun_edges; /* numbers of nodes and edges in the table of spin loops when the running execution began; by the target */
	uint32_t regions, applied_regions; /* enum region_bits: the kinds of regions that the program has used, and those that the search takes into account */
	uint32_t rounds;          /* enum rounds_use: what the planned or running execution does with rounds of waiting loops; by the target */
	uint32_t regions_begun;   /* regions begun in this search */
	uint32_t regions_before;  /* regions begun before the first execution; by the target, like the fields of regions above */
	uint32_t pages_when_shared; /* memory_table.n when the search got several workers; they would give later pages different numbers */
	uint32_t cut_short;       /* enum cut_short: bits, for executions of this search that ended by an exit with status 0 */
	uint32_t cut_short_thread; /* thread_id of a thread that could have continued; both by the target */
	struct session_circles circles;
	uint32_t trust_misses;    /* enum trust_misses: what executions did of which --strategy trust misses orders; by the target */
	uint32_t time_forced;     /* 1: an execution had a forced timeout (sched/patience.h); by the target */
	uint32_t ran_on;          /* 1: an execution of this search ran on (preload/control/run_on.h) */
	uint32_t endless;         /* 1: an execution that ran on did not end; both by the target */
	uint32_t stops;           /* 1: in the planned or running execution threads that never end stop at their limits (sched/endless.h); by the target */
	uint32_t quiet;           /* successive random executions that found nothing new */
	uint32_t outlook;         /* enum explore_outlook that `auto` had when the search restarted */
	uint64_t random;          /* all random executions of the session */
	_Alignas(8) uint8_t limits[SESSION_LIMITS]; /* struct rounds_limits: which waiting loops have a limit; by the target */
	_Alignas(8) uint8_t endless_limits[SESSION_ENDLESS]; /* struct endless_limits: which threads never end; by the target */
	uint64_t samples;         /* samples that `auto` took before the search restarted */
	uint32_t unsettled;       /* 1: warm-up did not converge; the search ignores what was discovered after the last restart */
	uint64_t learning_executions; /* warm-up executions; they do not count as explored, because the search restarted after them */
	uint64_t rewound;         /* executions that started by rewinding the process of the previous one; by the target */
	uint32_t rewind_off;      /* 1: rewinding is off for the rest of the search; by the target */
	uint32_t page_scan;       /* enum page_scan; by the target */
	uint64_t resumed;         /* executions that started from a snapshot (preload/life/snapshot.h); all of these by the target */
	uint64_t fork_ticks;      /* processor ticks of the fastest fork of an execution; 0: not known */
	uint64_t snapshot_ticks;  /* processor ticks of the fastest fork of a snapshot; 0: not known */
	uint64_t execution_ticks; /* processor ticks of the last execution, including the part that a snapshot saved */
	uint32_t snapshots_off;   /* 1: a process could not be forked: no more snapshots */
	uint32_t resume_level;    /* the snapshot that starts the planned execution, from 1; 0: it starts at the checkpoint */
	int32_t from_snapshot[SESSION_LEVELS + 1]; /* by level: pid of the latest process forked from that snapshot, which may have ended; -1: a fork is under way */
	uint32_t death_turn;      /* the value of `turn` when a process that belongs to a snapshot last died */
	int32_t death_status;     /* the status of that process (waitpid) */
	uint32_t ended;           /* 1: ended_status is the status with which the last target ended */
	int32_t ended_status;     /* from waitpid; both by the supervisor before it starts another target */
	uint32_t deciding;        /* 1 while the strategy runs in the middle of an execution */
	uint32_t unswept;         /* 1: memory that a search used could not be cleared when the next one began; by the target */
	uint32_t lost_in_a_row;   /* number of times the planned or running execution was lost because its process was killed from outside; by the target */
	uint64_t lost;            /* number of all executions that were lost in this way */
	uint64_t own_fault;       /* where simul's own code last faulted while it chose a step or accounted: an offset in libsimul.so; 0: nowhere; by the target */
	uint64_t may;             /* config.machines and max_executions: the worker may make executions until it has made this many; by the supervisor, which lowers
	                             it only while the target is paused */
	uint32_t budget_wanted;   /* 1: the worker has made them; by the target, cleared by the supervisor */
	uint32_t shared_search;   /* 1: other workers run; by the supervisor, while the target is paused or before it starts */
	uint32_t common_wanted;   /* config.machines; 1: the target needs the common part; by the target, cleared by the supervisor */
	uint32_t common_granted;  /* futex; 1: the target may change the common part until its next pause; by the supervisor */
	uint32_t outside;         /* 1: an execution changed state that other processes see (files, ports, processes); by the target */
	uint32_t uncontrolled;    /* number of calls that simul does not model although they matter */
	uint32_t own_settings;    /* enum thread_setting (preload/kernel/thread_state.h): settings that one of several threads changed; by the target */
	uint64_t heap_low_at, heap_low_bytes; /* preload/memory/heap.h; by the target */
	uint64_t arena_most;      /* the most bytes of its private memory that an execution used (ctl_arena_check); by the target */
	uint32_t arena_written;   /* 1: the program wrote to the private memory after these bytes; by the target */
	uint32_t cooperative;     /* enum cooperative_bits; by the target */
	uint32_t named_functions; /* bit i: the program has a function that the i-th pattern of --lock and --leave-out names (the first 32); by the target */
	uint32_t left_out;        /* bit i: functions are left out because lock_owner i says so; by the target */
	uint32_t calls_refused;   /* 1: calls are to be explored as code: one waited for another (preload/control/whole_calls.h); by the target, also of another worker */
	uint32_t applied_calls_refused; /* the value that the search uses; by the target */
	uint32_t one_step;        /* bit i: calls of functions were taken as one step because lock_owner i says so; by the target */
	uint32_t task_pieces;     /* 1: pieces of a library's code were taken as one step (preload/kernel/task_order.h); by the target */
	uint32_t own_allocator;   /* 1: a library did without an allocator of its own (preload/modules/own_allocator.h); by the target */
	char unplaced[SESSION_MESSAGE];   /* why memory of the main process was not placed at fixed addresses; "": it was; by the supervisor */
	struct session_unseen unseen;
	struct session_callers exception[EXCEPTIONS]; /* by the target */
	char refusal[SESSION_MESSAGE];    /* STATE_REFUSED: why the target cannot be run */
	char kernel_threads_for[SESSION_MESSAGE]; /* STATE_REFUSED: the call because of which the program needs kernel threads; "": none */
	char uncontrolled_what[SESSION_MESSAGE]; /* the first call that `uncontrolled` counts */
	char rewind_why[SESSION_MESSAGE];        /* why the latest execution that could not be rewound could not; "": all could */
	char outside_what[SESSION_MESSAGE];      /* the first change that set `outside`; completes "the program ...": "changes out.txt" */
	char internal_error[SESSION_MESSAGE];    /* a failed INVARIANT inside the target */
	char systemc_path[SESSION_MESSAGE];      /* SYSTEMC_UNKNOWN: path of that library */
};

/* Facts about threads that the program schedules itself, as the target found them (preload/cooperative/). */
enum cooperative_bits {
	SYSTEMC_RAN = 1,       /* a simulation ran, and its processes were ordered by the search */
	SYSTEMC_UNKNOWN = 2,   /* a libsystemc is loaded whose data simul does not know, so its processes kept their own order */
	SYSTEMC_PREEMPTED = 4, /* a process killed or reset another one; later processes kept their own order */
	SYSTEMC_MANY = 8,      /* more processes were runnable than a choice can have values */
	COROUTINES_RAN = 16,   /* the program called swapcontext: its own code ordered its coroutines */
};

/* For rewinding: whether the kernel reports the pages that an execution wrote to (PAGEMAP_SCAN). */
enum page_scan {
	PAGE_SCAN_UNUSED,  /* not needed: there is little memory to restore, or executions write to most of it */
	PAGE_SCAN_USED,
	PAGE_SCAN_MISSING, /* needed, but this kernel does not have it */
};

/* What children of fork look at (preload/memory/child_reads.h). Written by these children, which may only write to this and to
   session_control, and never cleared. */
#define SESSION_CHILD_PAGES 512
#define SESSION_CHILD_OBJECTS 64
struct session_child_reads {
	uint32_t changes; /* incremented when a byte or an object is added */
	uint32_t full;    /* 1: there was no room for another one */
	uint64_t object[SESSION_CHILD_OBJECTS]; /* addresses of synchronisation objects, in no order; 0: unused */
	struct {
		uint64_t base;      /* address of a page of 4096 bytes; 0: unused */
		uint64_t bytes[64]; /* the bytes that were read, one bit each */
	} page[SESSION_CHILD_PAGES];
};

/* The pool of threads that the target keeps parked before the checkpoint. Each is reserved for one thread of the program, which
   so gets the same stack in every execution. Written by the target as it sees threads created, or by the supervisor, to repeat a
   recorded execution with the same memory layout. */
struct session_pool {
	uint32_t n;
	uint32_t pad_;
	struct {
		uint64_t stack_size, guard_size;
		uint64_t stack_at; /* address of the stack in the process that parks the thread; by the target */
		char path[SESSION_PATH]; /* "T0.1.2"; "": for any thread */
	} thread[SESSION_POOL];
};

/* Divergence of a forced schedule. Written by the target. */
struct session_divergence {
	uint32_t happened; /* 1 */
	uint32_t step;     /* index into the schedule */
	uint32_t reason;   /* enum divergence_reason */
	uint32_t pad_;
	struct forced_step expected;
	struct forced_step found;
	uint64_t enabled_mask; /* threads 0..63 that were enabled */
	uint64_t draining_mask; /* threads 0..63 that had a buffered store which could reach memory */
};
enum divergence_reason {
	DIVERGED_OTHER_EVENT = 1, /* the thread's operation differs from the recorded one */
	DIVERGED_NOT_ENABLED,     /* the thread to run was blocked or had ended */
	DIVERGED_ENDED_EARLY,     /* the program ended before the schedule did */
	DIVERGED_WENT_ON,         /* the schedule ended before the program did */
};

struct session {
	uint64_t magic;
	uint32_t version;
	uint32_t header_size; /* sizeof(struct session) of the supervisor */
	struct session_layout layout;
	struct session_config config;
	_Alignas(SESSION_PAGE) struct session_control ctl; /* all fields before this one are constant while the program runs, and read-only in the target */
	struct session_child_reads child_reads;
	struct session_pool pool;
	struct session_bug bug;
	struct session_divergence divergence;
	uint32_t signatures;  /* number of distinct bugs that were met; seen[] counts the executions that showed each of them */
	struct session_timed_out timed_out; /* of the running execution */
	struct session_run_on run_on;
	struct session_reads reads;
	struct session_what_if what_if;
	_Alignas(8) uint8_t lock_words[SESSION_LOCK_WORDS]; /* struct lock_words (sched/lock_words.h): for advice; by the target */
	uint32_t labels;      /* the first `labels` entries of label[]: those of the running execution and from before the checkpoint */
	struct session_label label[SESSION_LABELS];
	struct session_sighting {
		uint64_t signature;
		uint64_t count;   /* executions without a preemption bound that showed it */
		uint64_t bounded; /* executions with the bound `bound` that showed it */
		uint64_t sampled; /* samples of `auto`, which do not belong to the search, that showed it */
		uint32_t bound;   /* preemptions + 1: the latest bound that showed it; 0: none */
		uint32_t least;   /* the first bound that showed it */
		uint32_t handed_over; /* 1: the supervisor has handled it */
		uint32_t pad_;
	} seen[SESSION_SIGNATURES];
};

/* Sizes of the structs that two processes share or a saved search keeps. The first three fields have the same offsets in every version: by
   them a library of another version is refused. */
#define SESSION_SIZE(type, bytes) \
	_Static_assert(sizeof(type) == (bytes), "the layout of the session changed: bump SESSION_VERSION, then correct the size here")
_Static_assert(offsetof(struct session, magic) == 0 && offsetof(struct session, version) == 8 && offsetof(struct session, header_size) == 12,
	"every version can read these");
_Static_assert(offsetof(struct session, ctl) == SESSION_PAGE, "what comes before it is read-only in the target");
SESSION_SIZE(struct session_config, 176);
SESSION_SIZE(struct session_layout, 264);
SESSION_SIZE(struct session_common, 24);
SESSION_SIZE(struct session_stack, 520);
SESSION_SIZE(struct session_frames, 776);
SESSION_SIZE(struct session_value, 40);
SESSION_SIZE(struct session_object, 32);
SESSION_SIZE(struct session_thread, 808);
SESSION_SIZE(struct session_sensors, 359488);
SESSION_SIZE(struct session_races, 276488);
SESSION_SIZE(struct forced_step, 16);
SESSION_SIZE(struct session_control, 11280);
SESSION_SIZE(struct session_pool, 16392);
SESSION_SIZE(struct session_bug, 2952);
SESSION_SIZE(struct session_divergence, 64);
SESSION_SIZE(struct session_child_reads, 266760);
SESSION_SIZE(struct session, 368640);

#endif
