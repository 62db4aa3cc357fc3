/* The execution that is planned, runs, or has just ended. */
#ifndef SIMUL_SESSION_EXECUTION_H
#define SIMUL_SESSION_EXECUTION_H

#include <stdint.h>

#include "base/session/limits.h"

/* State of the execution in progress. A new process needs it after the old one died during the execution. */
enum flight { FLIGHT_NONE = 0, FLIGHT_RUNNING, FLIGHT_ENDED };

/* See struct settings; slice 0: there is none. */
struct session_window {
	uint32_t slice, from, to;
};

struct session_execution {
	uint32_t flight;          /* enum flight */
	uint32_t flight_verdict;  /* enum run_verdict, valid when FLIGHT_ENDED */
	int32_t exec_pid;         /* process of the running execution */
	uint32_t current;         /* thread_id of the thread that runs program code now */
	uint32_t trace_n;         /* events in the trace of the running execution */
	uint32_t trace_threads, trace_agents; /* see struct trace */
	uint32_t pool_parked;     /* pool threads that were ready when the running execution needed them */
	uint64_t progress;        /* bumped at every scheduling point; the watchdog reads it */
	uint64_t executions_started;
	uint32_t wait_expired;    /* a child process did not end within the time that a wait allows */
	uint32_t begun;           /* the process of the last execution already planned the next one */
	uint32_t counted;         /* the planned or running execution is counted in session_common.begun */
	uint32_t turn;            /* futex: the child of the zygote that may run; see preload/life/zygote.c */
	uint32_t accounting;      /* 1 while the strategy ends or plans an execution: its state is inconsistent then */
	uint32_t deciding;        /* 1 while the strategy runs in the middle of an execution */
	uint32_t begun_nodes, begun_edges; /* numbers of nodes and edges in the table of spin loops when the running execution began */
	uint32_t rounds;          /* enum rounds_use: what the planned or running execution does with rounds of waiting loops */
	uint32_t stops;           /* 1: in the planned or running execution threads that never end stop at their limits (sched/endless.h) */
	uint64_t lost;            /* number of executions that were lost because their process was killed from outside */
	uint32_t lost_in_a_row;   /* number of times the planned or running execution was lost in this way */
	uint32_t common_used;     /* the common part of a search on several machines was needed since the last execution was planned */
	uint64_t common_since;    /* when the target got it (CLOCK_MONOTONIC, ns) */
	struct session_window window; /* of the planned or running execution */
	uint32_t sample;          /* 1: the planned or running execution is a sample */
	uint64_t survived;        /* signals that the program handles or ignores at the moment, bit (number - 1) */
};

/* The end of the trace for which the strategy must still account while the execution runs on (preload/control/run_on.h). */
struct session_run_on {
	uint32_t active;     /* 1: the execution runs on */
	uint32_t n, threads; /* events and threads of the trace when the execution began to run on */
	uint32_t pad_;
	uint64_t random;
	_Alignas(8) uint8_t pending[SESSION_RUN_ON_THREADS * SESSION_RUN_ON_EVENT]; /* struct event[] */
	uint8_t alts[SESSION_RUN_ON_THREADS];
};

#endif
