/*
 * The session segment: the one piece of memory that the supervisor (cli/) and the target
 * (libsimul.so inside the program under test) share. A memfd, whose number the target finds in the
 * environment variable SIMUL_SESSION.
 *
 * Each field says who writes it. The supervisor never trusts the target: it checks every length
 * and offset that it reads from here against the size it created. The segment survives the target:
 * when a target dies the next one maps it and goes on. It is never rewound.
 *
 * Any change of layout bumps SESSION_VERSION; a library of another version is refused in plain words.
 */
#ifndef SIMUL_SESSION_H
#define SIMUL_SESSION_H

#include <stdint.h>

#define SESSION_MAGIC UINT64_C(0x316c756d69734c53)
#define SESSION_VERSION 19
#define SESSION_ENV "SIMUL_SESSION"
#define SESSION_PAGE 4096

#define SESSION_MESSAGE 1024  /* bytes of a message, terminator included */
#define SESSION_STACK 64      /* frames of a stack */
#define SESSION_POOL 256      /* parked threads that the target may keep ready */
#define SESSION_PATH 40       /* bytes of the name of a thread in the pool */
#define SESSION_SIGNATURES 256
#define SESSION_LEVELS 32     /* snapshots of one execution at a time */
#define SESSION_MODULES 256   /* modules that are described */
#define SESSION_REACHED 8192  /* functions of libraries that were patched when they were reached */
#define SESSION_SITES 16384   /* slots for places in the code that access visible bytes */
#define SESSION_HOLES 1024    /* functions not covered that are named; all are counted */
#define SESSION_RACES 256     /* different races that are described */
#define SESSION_CYCLE 32      /* events of a cycle that are told */
#define SESSION_LABELS 200    /* labels of an execution that are kept: the first ones */
#define SESSION_LABEL_TEXT 64 /* bytes of one, terminator included */
#define SESSION_OBJECTS 64    /* kinds of state that libc keeps between calls */
#define SESSION_UNSEEN 8      /* functions of libc that are named, of those whose accesses are not seen */
#define SESSION_VALUE 16      /* bytes of the largest value that is kept */

/* AUTO: by rewinding, where that is possible and worth while, else by forking. */
enum session_isolation { ISOLATION_FORK = 0, ISOLATION_EXEC, ISOLATION_REWIND, ISOLATION_AUTO };
enum session_threads { THREADS_FIBER = 0, THREADS_KERNEL };
/* Who looks at a forced execution while it is under way. With one of them there is no zygote and threads are kernel threads. */
enum session_debug { DEBUGGED_BY_NOBODY = 0, DEBUGGED_BY_USER, DEBUGGED_BY_GDB };
enum session_mode {
	MODE_EXPLORE = 0, /* a strategy of explore/ decides */
	MODE_FORCED,      /* the schedule in the segment decides (confirm, replay) */
	MODE_GUIDED,      /* a plan in its place decides, as far as it can be followed (minimise) */
};

/* What the supervisor wants. Written by the supervisor before the target starts; constant then. */
struct session_config {
	uint32_t mode;        /* enum session_mode */
	uint32_t isolation;   /* enum session_isolation */
	uint32_t threads;     /* enum session_threads */
	uint32_t strategy;    /* enum explore_strategy */
	uint32_t shuffle;     /* see explore_config */
	uint32_t depth;       /* see explore_config */
	uint32_t spurious;    /* see world_config */
	uint32_t max_steps;   /* events after which an execution is cut */
	uint32_t keep_stacks; /* 1: record a stack with each event, and the value that it read or wrote (confirmation and replay) */
	uint32_t pause_at_end; /* 1: after the execution wait with the process alive until released */
	uint32_t patch;       /* 1: see the accesses of the program's own code by rewriting it (preload/patch/) */
	uint32_t fail_on_race; /* 1: a data race ends its execution as a bug */
	uint32_t model;       /* enum memory_model (sched/event.h) */
	uint32_t robustness;  /* 1: an execution that sequential consistency does not allow is a bug */
	uint32_t describe_only; /* 1: fill session_sensors and stop before main */
	uint32_t jobs;        /* workers that may share this search */
	uint32_t worker;      /* which of them this is, from 0 */
	int32_t common_fd;    /* number in the target of the memfd with what workers share; -1: none */
	uint32_t bound;       /* explore_config.preemptions + 1; 0: none */
	uint32_t debug;       /* enum session_debug */
	uint32_t stop_at;     /* DEBUGGED_BY_USER: the step, counted from 1, before which the execution waits in STATE_AT_STEP */
	uint32_t no_snapshots; /* 1: executions start at the checkpoint only (preload/life/snapshot.h) */
	uint32_t snapshot_every; /* for tests: a snapshot before each so many events, whatever it costs; 0: when it is worth while */
	uint32_t memory_check; /* 1: look for errors in the use of memory (preload/memory/blocks.h) */
	uint32_t late_exit;   /* see world_config */
	uint32_t certify;     /* enum explore_certify */
	uint32_t pad_;
	uint64_t patience;    /* see world_config */
	uint64_t seed;
	uint64_t max_executions; /* 0 = no limit */
	uint64_t start_time;  /* virtual CLOCK_REALTIME at the start, ns since the epoch */
	uint64_t hang_ns;     /* CPU time without a scheduling point that is called a hang */
};

struct session_stack {
	uint32_t n;
	uint32_t pad_;
	uint64_t pc[SESSION_STACK];
};

/* What an event of memory found and left there, in the eyes of its thread (an UPDATE: of all threads). Of a read or write of a
   descriptor `after` is an int64_t: what the call returned. Written by the target. */
struct session_value {
	uint8_t size;  /* bytes; 0: nothing is known */
	uint8_t known; /* bit 0: `before`; bit 1: `after` */
	uint8_t pad_[6];
	uint8_t before[SESSION_VALUE], after[SESSION_VALUE];
};

/* Where the parts lie, as byte offsets from the start of the segment. Written by the supervisor. What a search needs of them to go
   on in another segment is told in cli/segment/segment_keep.c. */
struct session_layout {
	uint64_t size;                       /* of the whole segment */
	uint64_t events_off, events_cap;     /* struct event[cap]: trace of the running execution */
	uint64_t pending_off;                /* struct event[MAX_IDS] */
	uint64_t alts_off;                   /* uint8_t[MAX_IDS] */
	uint64_t names_off;                  /* struct thread_names */
	uint64_t explore_off, explore_size;  /* memory of explore/ */
	uint64_t forced_off, forced_cap;     /* struct forced_step[cap]: schedule to follow */
	uint64_t stacks_off, stacks_cap;     /* struct session_stack[cap]: one per event when keep_stacks */
	uint64_t values_off, values_cap;     /* struct session_value[cap]: one per event when keep_stacks */
	uint64_t objects_off, objects_cap;   /* struct session_object[cap]: filled when an execution failed */
	uint64_t threads_off, threads_cap;   /* struct session_thread[cap]: by thread_id, when keep_stacks */
	uint64_t files_off;                  /* struct journal: what the program changes in the file system */
	uint64_t memory_off;                 /* struct memory_table (sched/memory.h): which bytes are visible */
	uint64_t await_off;                  /* struct await_table (sched/await.h): what is known of spin loops */
	uint64_t sensors_off;                /* struct session_sensors: what is seen, and what not */
	uint64_t races_off;                  /* struct session_races */
	uint64_t patch_off, patch_size;      /* --patch: patterns of file names, each terminated by 0, the last by two */
	/* What several workers share is mapped behind the segment, and the names of threads again at names_off. Nothing when common_size is 0. */
	uint64_t common_off, common_size;    /* all of it: struct session_common */
	uint64_t common_names, names_size;   /* where the names lie in it, and how many bytes of whole pages they are */
	uint64_t common_search_off, common_search_size; /* memory of explore/common.h, from the start of the segment */
};

/* What several workers of one search share beside their search: the start of that memory. */
struct session_common {
	uint64_t begun;    /* complete executions of all, those that are planned or run included; by the targets */
	uint32_t doorbell; /* futex: bumped with the doorbell of each of them, so that the supervisor can wait for all */
	uint32_t pad_;
};

/* One shared object or the program itself, and what the patcher made of it. Written by the target, once for each. */
struct session_module {
	char path[256];
	uint64_t base, text_bytes;
	uint32_t functions, covered, uncovered, accesses, not_hooked, microseconds;
	char refused[160]; /* why nothing of it was patched; "" when it was */
	uint32_t lazy;     /* 1: patched function by function when it is reached (preload/patch/lazy.h): the numbers are of those */
	uint32_t executed; /* refused. 1: code of it was executed where other threads could observe that */
	uint64_t first;    /* executed: where its code was entered first */
};

/* What the sensors cover. Written by the target before the first execution, and when code is loaded or reached later. */
struct session_sensors {
	uint32_t tsan;     /* bits. 1: some code calls the ThreadSanitizer ABI; 2: some of it was not built by gcc */
	uint32_t modules, holes; /* of all: more than there is room for are only counted */
	uint32_t traps;    /* entries of patched code that nobody foresaw */
	struct session_module module[SESSION_MODULES];
	struct {
		uint64_t addr;
		uint32_t module, reason; /* enum patch_reason */
	} hole[SESSION_HOLES];
	/* Functions that some process of the search has patched when it reached them; those that are started later patch them before they are executed. */
	/* certify: what happened in some execution, warm-up included. Places in the code that accessed visible bytes: a hash table of
	   session_site() */
	uint32_t sites_full, pad_;
	uint64_t site[SESSION_SITES];
	uint64_t kinds[2]; /* kinds of events, one bit each */
	uint32_t n_reached;
	uint32_t objects;
	uint64_t reached[SESSION_REACHED];
	struct {
		uint64_t addr, size;     /* what stands for it */
		uint64_t result, bytes;  /* memory of libc that it returns pointers to, when that is known; else 0 */
		char name[56];
	} object[SESSION_OBJECTS]; /* state of libc (preload/libc/libc.def), and its streams */
};

/* An entry of session_sensors.site: 0 is none. `patched`: it is an instruction of patched code. */
static inline uint64_t session_site(uint64_t pc, int patched)
{
	return pc << 1 | !patched;
}

/* Two accesses that nothing orders, at least one of which writes and at least one of which is not certainly atomic. */
struct session_race {
	uint64_t addr;
	uint32_t size;          /* bytes of the second access */
	uint32_t certain;       /* 1: the sensor knows that one of them is not atomic; 0: a mov, it may be */
	uint32_t thread[2];     /* [0] was first */
	uint32_t flags[2];      /* enum mem_flags of both */
	uint64_t count;         /* how often it was seen */
	uint64_t execution;     /* where it was first seen */
	struct session_stack stack[2]; /* of the first one only the access itself is known during the search */
};
struct session_races {
	uint32_t n;     /* different ones: by the two places in the code */
	uint32_t pad_;
	struct session_race race[SESSION_RACES];
};

/* One step of a schedule to follow, with what was recorded there. Written by the supervisor. */
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

/* Where a thread stood at the end. Written by the target (alive.. when an execution failed; stack with
   each announcement when keep_stacks). */
struct session_thread {
	uint32_t alive;     /* 1: created and not ended; its pending operation is in the pending array */
	uint32_t waits_for; /* thread_id of who holds what it waits for, or 0xffff */
	uint64_t start_pc;  /* its start routine; 0 for T0 */
	struct session_stack stack; /* of its pending operation, innermost first */
};

/* The longest wait of an execution that timed out although --patience could have kept it waiting. */
struct session_timed_out {
	uint64_t ns; /* of virtual time; 0: none did */
	uint32_t step; /* event, counted from 1 */
	uint32_t pad_;
};

/* What the program calls a point in a thread (simul_label). Written by the target, when keep_stacks. */
struct session_label {
	uint32_t step;   /* events of the execution before it */
	uint32_t thread; /* thread_id */
	char text[SESSION_LABEL_TEXT];
};

#define SIGNAL_HANG (SIGRTMAX - 2) /* supervisor to target: the running execution hangs, end it */

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
	BUG_MEMORY,   /* use of memory that is not, or no longer, the program's */
	BUG_KINDS
};

/* BUG_MEMORY: in which way. */
enum memory_error {
	MEMORY_NONE = 0,
	MEMORY_FREED,        /* an access of a block that was freed */
	MEMORY_BEYOND,       /* an access behind the end of a block */
	MEMORY_BEFORE,       /* an access before the beginning of a block */
	MEMORY_DOUBLE_FREE,
	MEMORY_INVALID_FREE, /* of what is no block */
	MEMORY_STACK,        /* an access of a frame that has been left, or of the stack of a thread that has ended */
	MEMORY_ERRORS
};

/* What a memory error is about. Written by the target. */
struct session_block {
	uint32_t error;      /* enum memory_error */
	uint32_t write;      /* 1: it writes */
	uint64_t addr, size; /* the bytes accessed; of a free: its argument, 0 */
	uint64_t block, block_size; /* the block concerned; 0, 0: none is known. MEMORY_STACK: not used */
	uint32_t owner[2];   /* thread_id of who allocated and who freed it, or 0xffff; MEMORY_STACK: [0] is whose stack it is */
	struct session_stack stack[2]; /* where; only known in a confirmation or replay */
};

/* What went wrong in the execution that just ended. Written by the target. */
struct session_bug {
	uint32_t kind;         /* enum bug_kind; BUG_NONE: nothing did */
	uint32_t thread;       /* thread_id in which it happened */
	int32_t signal;        /* BUG_CRASH, BUG_ASSERT: signal number, or 0 */
	int32_t status;        /* BUG_EXIT: exit status */
	uint32_t misuse;       /* BUG_MISUSE: enum misuse */
	uint32_t object;       /* object concerned, or 0 */
	uint64_t fault_addr;   /* BUG_CRASH */
	struct session_block memory; /* BUG_MEMORY */
	uint64_t signature;    /* equal bugs have equal signatures; never 0 for a bug */
	char message[SESSION_MESSAGE]; /* the program's own words (assertion text), or simul's */
	struct session_stack stack;    /* of the thread */
	uint32_t cycle_n;              /* BUG_ROBUSTNESS: a smallest cycle, see struct robust_cycle (sched/robust.h) */
	/* Preemptions that the execution needs, + 1: at least, and so many are enough (explore_need); 0: not known. Set in STATE_BUG_EXPLAINED */
	uint32_t needs, enough;
	uint32_t pad_;
	struct {
		uint32_t event, step;
	} cycle[SESSION_CYCLE];
};

enum session_state {
	STATE_STARTING = 0,  /* no execution yet (before the checkpoint) */
	STATE_RUNNING,       /* executions are going on */
	STATE_BUG_WAIT,      /* an execution with a new bug ended; target waits for the release */
	STATE_DONE,          /* begin returned false: search over */
	STATE_NO_THREADS,    /* the program ended before it created a thread */
	STATE_REFUSED,       /* cannot go on; `refusal` says why */
	STATE_STOPPED,       /* stopped because stop_request was set */
	STATE_DESCRIBED,     /* describe_only: session_sensors is filled; waits to be killed */
	STATE_PAUSED,        /* between two executions because pause_request was set; target waits for the release */
	STATE_RESTARTED,     /* one of several workers has learnt something: the whole search starts again; target waits for the release */
	STATE_ALONE,         /* one of several workers is about to change what others would see (`outside_what`); waits to be killed */
	STATE_AT_STEP,       /* before the step config.stop_at; target waits for the release */
	STATE_BUG_EXPLAINED, /* follows STATE_BUG_WAIT: `needs` and `enough` of the bug are set if they could be found; target waits for the release */
};

/* What the running executions are for. */
enum learning {
	LEARNING_NONE = 0, /* the search */
	LEARNING_RANDOM,   /* random schedules, to find out what is shared and where threads spin */
};

/* In-flight execution: what a new process must know when the old one died in the middle. */
enum flight { FLIGHT_NONE = 0, FLIGHT_RUNNING, FLIGHT_ENDED };

/* Functions of libc that a program with several threads has called and whose accesses are not seen. Written by the target. */
struct session_unseen {
	uint32_t n; /* at most SESSION_UNSEEN + 1: there are more than are named */
	char name[SESSION_UNSEEN][28];
};

struct session_control {
	uint32_t state;        /* enum session_state; written by the target; supervisor futex-waits on doorbell */
	uint32_t doorbell;     /* futex: bumped by the target when state changes, by a waiter's release below */
	uint32_t release;      /* futex: bumped by the supervisor to let STATE_BUG_WAIT, STATE_BUG_EXPLAINED, STATE_PAUSED, pause_at_end go on */
	uint32_t stop_request; /* written by the supervisor: finish the running execution, then stop */
	uint32_t pause_request; /* written by the supervisor: finish the running execution, then wait in STATE_PAUSED */
	int32_t supervisor;    /* its pid, as the target knows it; by the supervisor */
	uint32_t exec_stops;   /* 1: the main process asked to be traced, and stops when it has become another program; see cli/target/place.h. By whoever
	                          calls exec; 0 again when the supervisor has looked */
	uint32_t randomised;   /* 1: memory of the main process lies at random addresses; by the target */
	uint64_t stack_limit;  /* RLIMIT_STACK that the process gets back after that exec, 0: it was not lowered for it; as exec_stops */
	int32_t main_pid;      /* process in which the program runs before executions; written by the supervisor */
	int32_t exec_pid;      /* process of the running execution; written by the target */
	uint32_t flight;       /* enum flight; written by the target */
	uint32_t flight_verdict; /* enum run_verdict, valid when FLIGHT_ENDED */
	uint32_t current;      /* thread_id that runs program code now */
	uint32_t trace_n;      /* events in the trace of the running execution */
	uint32_t trace_threads, trace_agents; /* see struct trace */
	uint32_t hang_request; /* supervisor: 1 = the running execution hangs, end it (with signal SIGNAL_HANG) */
	uint64_t progress;     /* bumped at every scheduling point; the watchdog looks at it */
	uint64_t executions_started;
	uint32_t native_children; /* processes the program started that created threads outside our control */
	uint32_t waited_in_vain;  /* by the target: a child process did not end in the time that a wait gives it */
	uint32_t pool_parked;     /* threads of the pool that the running execution found ready; by the target */
	uint32_t begun;           /* by the target: the next execution was planned by the process of the last one */
	uint32_t counted;         /* by the target: the planned or running execution is counted in session_common.begun */
	uint32_t turn;            /* futex: the child of the zygote that may run; see preload/life/zygote.c; by the target */
	uint32_t accounting;      /* 1 while the strategy ends or plans an execution: its state is between two states */
	uint32_t learning;        /* enum learning; by the target */
	uint32_t restarts;        /* how often the search started again with what had been learnt */
	uint32_t learnt_memory, learnt_awaits; /* memory_table.changes and await_table.changes that the search knows of */
	uint32_t regions, learnt_regions; /* enum region_bits: what the program has used, and what the search knows of */
	uint32_t regions_begun;   /* those that were begun in this search, and */
	uint32_t regions_before;  /* before the first execution; all of these by the target */
	uint32_t learnt_pages; /* memory_table.n when the search was shared: more would be numbered differently by each worker */
	uint32_t cut_short;       /* 1: some execution of this search ended by an exit that was forced (sched/late_exit.h), and */
	uint32_t cut_short_thread; /* the thread_id that would have gone on; by the target */
	uint32_t quiet;           /* random executions without news */
	uint32_t unsettled;       /* 1: there was always more to learn; the search went on without it */
	uint64_t learning_executions; /* executions that do not count: the search started again after them */
	uint64_t rewound;         /* executions that started by rewinding the process of the one before; by the target */
	uint32_t rewind_off;      /* 1: no more of that, for good; by the target */
	uint32_t page_scan;       /* enum page_scan; by the target */
	uint64_t resumed;         /* executions that started from a snapshot (preload/life/snapshot.h); all of these by the target */
	uint64_t fork_ticks;      /* processor ticks that the fastest fork of an execution took, 0: not known */
	uint64_t snapshot_ticks;  /* the same for a snapshot */
	uint64_t execution_ticks; /* of the last execution, what it did not have to repeat included */
	uint32_t snapshots_off;   /* 1: a process could not be forked: no more snapshots */
	uint32_t resume_level;    /* the snapshot that starts the planned execution, from 1; 0: it starts at the checkpoint */
	int32_t from_snapshot[SESSION_LEVELS + 1]; /* by level: the latest process forked from there; -1: one is being forked; it may be gone */
	uint32_t death_turn;      /* the turn (above) in which a process forked from a snapshot, or one that had to go with it, */
	int32_t death_status;     /* ended in this way (waitpid) */
	uint32_t ended;           /* 1: how the last target ended is known: */
	int32_t ended_status;     /* (waitpid); both by the supervisor before it starts another target */
	uint32_t deciding;        /* 1 while the strategy is asked or told in the middle of an execution */
	uint32_t lost_in_a_row;   /* how often the planned or running execution was broken off, since its process was killed by others; by the target */
	uint64_t lost;            /* the same of all executions */
	uint32_t shared_search;   /* 1: other workers run; by the supervisor, while the target is paused or before it starts */
	uint32_t outside;         /* 1: some execution changed what other processes see (files, ports, processes); by the target */
	uint32_t uncontrolled;    /* calls that had to be passed through unmodelled though they matter */
	uint64_t heap_low_at, heap_low_bytes; /* preload/memory/heap.h; by the target */
	char unplaced[SESSION_MESSAGE];   /* why memory of the main process was not put at fixed addresses, "": it was; by the supervisor */
	struct session_unseen unseen;
	char refusal[SESSION_MESSAGE];    /* why the target cannot be run; STATE_REFUSED */
	char uncontrolled_what[SESSION_MESSAGE]; /* first of them */
	char rewind_why[SESSION_MESSAGE];        /* why the last process that could not be rewound could not; "" */
	char outside_what[SESSION_MESSAGE];      /* the first such change; completes "the program ...": "changes out.txt" */
	char internal_error[SESSION_MESSAGE];    /* a failed INVARIANT inside the target */
};

/* When executions are rewound: does the kernel tell which pages they wrote to (PAGEMAP_SCAN)? */
enum page_scan {
	PAGE_SCAN_UNUSED,  /* it was not asked: there is little memory to put back, or executions write to much of it */
	PAGE_SCAN_USED,
	PAGE_SCAN_MISSING, /* it would have been asked, but cannot tell */
};

/* The pool of threads that the target keeps parked before the checkpoint. Each is meant for one thread of the program, so
   that this has the same stack in all executions. Written by the target (it learns), or by the supervisor (to repeat a
   recorded execution with the same memory layout). */
struct session_pool {
	uint32_t n;
	uint32_t pad_;
	struct {
		uint64_t stack_size, guard_size;
		uint64_t stack_at; /* where the stack lies in the process that parks it; by the target */
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
	uint64_t draining_mask; /* threads 0..63 of which a buffered store could have reached memory */
};
enum divergence_reason {
	DIVERGED_OTHER_EVENT = 1, /* the thread did another operation */
	DIVERGED_NOT_ENABLED,     /* the thread to run was blocked or gone */
	DIVERGED_ENDED_EARLY,     /* the program ended before the schedule did */
	DIVERGED_WENT_ON,         /* the schedule ended before the program did */
};

struct session {
	uint64_t magic;
	uint32_t version;
	uint32_t header_size; /* sizeof(struct session) of the supervisor */
	struct session_layout layout;
	struct session_config config;
	_Alignas(SESSION_PAGE) struct session_control ctl; /* what comes before it is constant while the program runs, and read-only there */
	struct session_pool pool;
	struct session_bug bug;
	struct session_divergence divergence;
	uint32_t signatures;  /* bugs already reported: not handed over again, only counted, in the executions that count */
	struct session_timed_out timed_out; /* of the running execution */
	uint32_t labels;      /* label[0 .. labels) are those of the running execution, and from before the checkpoint */
	struct session_label label[SESSION_LABELS];
	struct session_sighting {
		uint64_t signature;
		uint64_t count;   /* in executions without a bound on preemptions */
		uint64_t bounded; /* in those with bound `bound` */
		uint64_t sampled; /* in samples beside these (auto) */
		uint32_t bound;   /* preemptions + 1: the latest bound with which it was seen; 0: none */
		uint32_t least;   /* the first one */
		uint32_t handed_over; /* 1: the supervisor has looked at it */
		uint32_t pad_;
	} seen[SESSION_SIGNATURES];
};

#endif
