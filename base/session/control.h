/* What the two sides tell each other while executions run, and the state of the search outside of explore/. */
#ifndef SIMUL_SESSION_CONTROL_H
#define SIMUL_SESSION_CONTROL_H

#include <stdint.h>

#include "base/session/facts.h"
#include "base/session/limits.h"
#include "base/session/schedule.h"

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

#endif
