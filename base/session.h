/*
 * The session segment: the one piece of memory that the supervisor (cli/) and the target
 * (libsimul.so inside the program under test) share. It is a memfd. The target finds its number in the
 * environment variable SIMUL_SESSION.
 *
 * The declaration of each part says which side writes it (base/session/sides.h); what the other side writes is const. The supervisor never
 * trusts the target: it checks every length and offset that it reads from here against the size it created. The segment survives the target:
 * when a target dies, the next one maps the segment and continues. It is never rewound.
 *
 * Any change of layout needs a new SESSION_VERSION. A library of another version is refused with a message.
 */
#ifndef SIMUL_SESSION_H
#define SIMUL_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include "base/session/bug.h"
#include "base/session/config.h"
#include "base/session/control.h"
#include "base/session/execution.h"
#include "base/session/facts.h"
#include "base/session/layout.h"
#include "base/session/limits.h"
#include "base/session/schedule.h"
#include "base/session/sensors.h"
#include "base/session/sides.h"

#define SESSION_MAGIC UINT64_C(0x316c756d69734c53)
#define SESSION_VERSION 91
#define SESSION_ENV "SIMUL_SESSION"
#define SESSION_PAGE 4096

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

struct session {
	uint64_t magic;
	uint32_t version;
	uint32_t header_size; /* sizeof(struct session) of the supervisor */
	BY_SUPERVISOR struct session_layout layout;
	struct session_config config; /* by the supervisor; by the target only `isolation`, before its checkpoint */
	_Alignas(SESSION_PAGE) struct session_control ctl; /* all fields before this one are constant while the program runs, and read-only in the target */
	BY_TARGET struct session_child_reads child_reads;
	struct session_pool pool;
	BY_TARGET struct session_bug bug;
	BY_TARGET struct session_divergence divergence;
	uint32_t signatures;  /* number of distinct bugs that were met; seen[] counts the executions that showed each of them */
	BY_TARGET struct session_timed_out timed_out; /* of the running execution */
	BY_TARGET struct session_run_on run_on;
	BY_TARGET struct session_reads reads;
	BY_TARGET struct session_what_if what_if;
	_Alignas(8) BY_TARGET uint8_t lock_words[SESSION_LOCK_WORDS]; /* struct lock_words (sched/lock_words.h): for advice */
	BY_TARGET uint32_t labels;      /* the first `labels` entries of label[]: those of the running execution and from before the checkpoint */
	BY_TARGET struct session_label label[SESSION_LABELS];
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
SESSION_SIZE(struct session_config, 216);
SESSION_SIZE(struct session_layout, 264);
SESSION_SIZE(struct session_common, 24);
SESSION_SIZE(struct session_stack, 520);
SESSION_SIZE(struct session_frames, 776);
SESSION_SIZE(struct session_value, 40);
SESSION_SIZE(struct session_object, 32);
SESSION_SIZE(struct session_thread, 808);
SESSION_SIZE(struct session_sensors, 359600);
SESSION_SIZE(struct session_races, 348968);
SESSION_SIZE(struct forced_step, 16);
SESSION_SIZE(struct session_handshake, 40);
SESSION_SIZE(struct session_requests, 1080);
SESSION_SIZE(struct session_execution, 136);
SESSION_SIZE(struct session_warm_up, 48);
SESSION_SIZE(struct session_discoveries, 1656);
SESSION_SIZE(struct session_rewind, 1272);
SESSION_SIZE(struct session_facts, 4240);
SESSION_SIZE(struct session_failure, 3080);
SESSION_SIZE(struct session_control, 11552);
SESSION_SIZE(struct session_pool, 16392);
SESSION_SIZE(struct session_bug, 3080);
SESSION_SIZE(struct session_divergence, 64);
SESSION_SIZE(struct session_child_reads, 266760);
SESSION_SIZE(struct session, 385024);

#endif
