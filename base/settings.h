/* The settings of an execution (base/settings.def). */
#ifndef SIMUL_SETTINGS_H
#define SIMUL_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum session_threads { THREADS_FIBER = 0, THREADS_KERNEL };

/* When stores reach memory (sched/membuf.h), or which store a load reads (sched/live.h). */
enum memory_model { MODEL_SC = 0, MODEL_TSO, MODEL_PSO, MODEL_RC11 };

/* Returns whether stores go into buffers. */
static inline bool model_has_buffers(uint32_t model)
{
	return model == MODEL_TSO || model == MODEL_PSO;
}

/* What is assumed of runtimes (base/runtimes.def). Recordings have these numbers. */
enum known_locks {
	KNOWN_LOCKS_NONE,
	KNOWN_LOCKS,           /* locks are taken as locks (preload/memory/lock_sites.h), and bookkeeping is left out */
	KNOWN_LOCKS_AND_CALLS, /* and calls are taken as one step (preload/control/whole_calls.h) */
	KNOWN_TASKS = 4,       /* a bit, with one of the two: the order of a library's tasks is explored (preload/kernel/task_order.h) */
};
#define KNOWN_ALL (KNOWN_LOCKS_AND_CALLS | KNOWN_TASKS)

static inline bool known_calls(uint32_t known)
{
	return known & KNOWN_LOCKS_AND_CALLS;
}

/*
 * threads         enum session_threads
 * spurious        number of spurious wake-ups that each thread may have in one execution
 * max_steps       events after which an execution is cut
 * patience        ns: waits of at least this length time out late (sched/patience.h); 0: none does
 * discrete_time   1: time passes only where nothing else can happen (sched/patience.h)
 * late_exit       1: an exit with status 0 happens only where nothing else can happen (sched/late_exit.h)
 * barrier_first   1: the serial result of a barrier goes to the thread with the smallest id (sched/model_barrier.c)
 * pth_order       1: any ready thread of GNU Pth may be next (preload/cooperative/pth.c)
 * start_time      virtual CLOCK_REALTIME at the start, ns since the epoch
 * seed            of what the program gets from getrandom, and of strategies that sample
 * model           enum memory_model: with TSO and PSO stores go into buffers (sched/membuf.h), with RC11 loads may read
 *                 older stores (sched/live.h)
 * patch           1: rewrite the program's own code to see its memory accesses (preload/patch/)
 * fail_on_race    1: a data race is a bug and ends its execution
 * memory_check    1: look for memory errors (preload/memory/blocks.h)
 * robustness      1: an execution that sequential consistency does not allow is a bug
 * known_locks     enum known_locks. The locks of --lock are always taken as locks
 * window_slice    not 0: outside of the window, accesses to memory are no events, and a thread gives way after this
 *                 many on average (preload/memory/window.h)
 * window_from, window_to  the window: from this number of events on, up to that one
 */
struct settings {
#define SETTING(name, type, ...) type name;
#include "base/settings.def"
};

/* How people see a value. */
enum setting_kind {
	SETTING_NUMBER,
	SETTING_HEX,    /* a number, in JSON as hexadecimal text */
	SETTING_TIME,   /* ns; 0: none. In JSON seconds, or null */
	SETTING_SWITCH, /* 0 or 1. In JSON false or true */
	SETTING_NAMED,  /* a name; in recordings its number */
	SETTING_WORD,   /* a name, also in recordings */
	SETTING_TEXT,   /* the same, in quotes there */
};

enum setting_certificate { CERTIFICATE_ANY, CERTIFICATE_SAME, CERTIFICATE_ONLY_0 };

/* A line of base/settings.def. */
struct setting {
	size_t offset;  /* in struct settings */
	bool wide;      /* it is a uint64_t; else a uint32_t */
	bool not_0;     /* recordings have no line for the value 0 */
	enum setting_kind kind;
	enum setting_certificate certificate;
	uint64_t most;
	const char *line, *json;          /* json: "": none */
	const char *const *names;         /* ended by NULL; NULL: it has no names */
};

enum setting_number {
#define SETTING(name, ...) SETTING_OF_##name,
#include "base/settings.def"
	SETTINGS
};

extern const struct setting settings_table[SETTINGS];

uint64_t setting_get(const struct settings *s, const struct setting *of);
void setting_set(struct settings *s, const struct setting *of, uint64_t value);
/* Returns whether each value is in its range. */
bool settings_valid(const struct settings *s);

/* Names of values, for options (cli/options/options.h). */
extern const char *const names_threads[], *const names_discrete_time[], *const names_late_exit[],
	*const names_barrier_first[], *const names_pth_order[], *const names_model[];

/* Names of enum memory_model: "sc", "tso", "pso", "rc11", and in upper case; "?" when out of range. */
const char *memory_model_text(unsigned model);
const char *memory_model_title(unsigned model);

/* Sets *value to the value of this name, of a setting with names. Returns false if it has no such name. */
bool setting_named(const struct setting *of, const char *name, uint64_t *value);

/* Writes the value as one gives it with the option: "discrete", "1.5s", "given". */
void setting_text(const struct settings *s, const struct setting *of, char *buf, size_t size);

#endif
