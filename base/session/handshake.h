/* What both sides write: one side sets a word, the other side clears it. Atomic while both sides run. */
#ifndef SIMUL_SESSION_HANDSHAKE_H
#define SIMUL_SESSION_HANDSHAKE_H

#include <stdint.h>

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
	STATE_RACE,          /* a race of processes is new (session_race.judged); the target waits for the release */
};

struct session_handshake {
	uint32_t state;        /* enum session_state. The target sets it, the supervisor waits on doorbell, and sets it back when it releases the target */
	uint32_t doorbell;     /* futex: bumped by the target when the state changes, and by a waiter when it is released */
	uint32_t hang_request; /* the supervisor sets it: the running execution hangs, end it (with signal SIGNAL_HANG). The target clears it */
	uint32_t exec_stops;   /* 1: the main process asked to be traced and stops after its exec; see cli/target/place.h. Set by the process that
	                          calls exec; cleared by the supervisor when it has handled the stop */
	uint64_t stack_limit;  /* RLIMIT_STACK to restore after that exec; 0: it was not lowered; written by the same sides as exec_stops */
	uint32_t budget_wanted; /* the target sets it when it has made session_requests.may executions; the supervisor clears it */
	uint32_t common_wanted; /* config.machines; the target sets it when it needs the common part; the supervisor clears it */
	uint32_t ended;        /* 1: session_requests.ended_status is set. The supervisor sets it before it starts another target, which clears it */
	uint32_t pad_;
};

#endif
