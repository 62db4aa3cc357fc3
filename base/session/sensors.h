/* What the sensors cover, and the races that they showed. */
#ifndef SIMUL_SESSION_SENSORS_H
#define SIMUL_SESSION_SENSORS_H

#include <stdint.h>

#include "base/hash.h"
#include "base/session/limits.h"
#include "base/session/schedule.h"
#include "base/table.h"

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

/* What a handler of an interrupting signal does that no certificate can order (cli/certify/handlers.h). */
enum handler_oddity {
	HANDLER_INTERRUPTS, /* it begins while a call of its thread waits, and the call ends or begins again */
	HANDLER_JUMPS,      /* it leaves by longjmp */
	HANDLER_EXITS,      /* it ends its thread */
	HANDLER_ODDITIES
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
	uint32_t outside_signals; /* 1: timers, children or other processes sent signals to the program */
	uint64_t inline_call;  /* the first system call by an instruction of the program; 0: none */
	uint64_t site[SESSION_SITES];
	uint64_t kinds[2]; /* one bit for each kind of event */
	uint64_t place[128]; /* for each kind: event.pc of its first event; 0: unknown */
	uint32_t generated_code;  /* 1: the program made memory executable (preload/modules/generated.h) */
	uint32_t early_unlocks;   /* 1: with store buffers, pthread_spin_unlock emptied one (preload/hooks/hook_spin.c) */
	/* For certificates: the places of the first events on descriptors that enforce/lib/ does not order; 0: none. */
	uint64_t unordered_files; /* another operation than it knows, on a file as in base/own_files.h */
	uint64_t shared_files;    /* any operation on such a file, when the program has started a process */
	uint64_t other_files;     /* any operation on another file */
	/* The same for the sockets outside of socket pairs, which are one object. */
	uint64_t unordered_sockets; /* another operation than it knows */
	uint64_t shared_sockets;    /* an operation, when another process may have a socket or the other end */
	uint64_t older_sockets;     /* an operation, when executions share sockets from before the first thread */
	uint64_t other_sockets;     /* the call that made the first socket of another kind than certificates order */
	uint64_t shared_names;    /* the place of the first sem_open of a semaphore that existed already; 0: none */
	/* For certificates: the first handler of each kind in an execution of this process: the number of events
	   before, and the place of the call; 0: there was none. */
	struct {
		uint32_t at, pad_;
		uint64_t place;
	} handler[HANDLER_ODDITIES];
	/* Functions that a process of the search patched when it reached them. Processes started later patch them before they run. */
	uint32_t n_reached;
	uint32_t objects;
	uint64_t reached[SESSION_REACHED];
	struct {
		uint64_t addr, size;     /* the address range that represents it */
		uint64_t each;           /* the range is an array of things of this size, which are numbered from 0; 0: it is one thing */
		uint64_t result, bytes;  /* memory of libc to which its functions return pointers; 0, 0: not known */
		char name[56];
	} object[SESSION_OBJECTS]; /* state inside libc (preload/base/libc.def), and its streams */
};

/* Returns the entry of session_sensors.site for a place in the code; a slot with 0 is empty. `patched`: pc is an instruction of patched
   code. */
static inline uint64_t session_site(uint64_t pc, int patched)
{
	return pc << 1 | !patched;
}

/* Returns the slot of that entry in session_sensors.site, or the empty one that it may take; TABLE_FULL: there is none. */
static inline uint32_t session_site_slot(const struct session_sensors *s, uint64_t site)
{
	return TABLE_SLOT_WITHIN(i, hash_spread(site) >> 40, SESSION_SITES, SESSION_SITES / 2, s->site[i] == site || !s->site[i]);
}

/* Whether the program itself made both accesses of two processes, and not SystemC's kernel for it. */
enum race_judged {
	RACE_NOT_JUDGED = 0,
	RACE_OWN,
	RACE_OF_KERNEL
};

/* Two unordered accesses. At least one writes, and at least one is not certainly atomic. */
struct session_race {
	uint64_t addr;
	uint32_t size;          /* bytes of the second access */
	uint32_t certain;       /* 1: one access is certainly not atomic; 0: one is a mov, which may be atomic in the source */
	uint32_t thread[2];     /* in execution order */
	uint32_t flags[2];      /* enum mem_flags of both */
	uint64_t count;         /* number of times it was seen */
	/* of both accesses; if threads race, stack[0] has only the address of the first access during the search */
	struct session_stack stack[2];
	char process[2][SESSION_LABEL_TEXT]; /* the SystemC processes that race; "": threads do */
	uint64_t delta;         /* the delta cycle in which these processes raced first */
	uint32_t judged;        /* fail_on_race, if processes race: enum race_judged */
	uint32_t pad_;
};

/* Why races of processes may have been missed: what a process did in its step is not known; or there were too many
   steps or accesses in a phase, too many mutexes or words to watch, or too many races; the strategy does not look for
   them. */
enum races_missed {
	RACES_UNKNOWN = 1,
	RACES_FULL = 2,
	RACES_UNSOUGHT = 4
};
struct session_races {
	uint32_t n;     /* distinct races (session_same_race) */
	uint32_t watched; /* number of words in watched_word */
	uint32_t missed;  /* enum races_missed */
	uint32_t pad_;
	/* the stack of sc_main when SystemC's kernel chose the first process: its frames, and the bytes in use */
	struct session_frames kernel;
	uint64_t kernel_lo, kernel_hi;
	struct session_race race[SESSION_RACES];
	uint64_t watched_word[SESSION_WATCHED]; /* hash table of words on which processes have raced; 0: empty */
};

/* Returns the slot of the word in session_races.watched_word, or the empty one that it may take. */
static inline uint32_t session_watched_slot(const struct session_races *r, uint64_t word)
{
	return TABLE_SLOT(i, hash_spread(word) >> 40, SESSION_WATCHED,
		!r->watched_word[i] || r->watched_word[i] == word);
}

/* Watches the word, if there is room. */
static inline void session_watch(struct session_races *r, uint64_t word)
{
	uint64_t *slot = &r->watched_word[session_watched_slot(r, word)];
	if (*slot)
		return;
	if (r->watched == SESSION_WATCHED / 2) {
		r->missed |= RACES_FULL;
		return;
	}
	*slot = word;
	r->watched++;
}

#define SESSION_RACE_FRAMES 4u /* frames of each stack by which a race between processes is known */

/* Returns whether the stacks are the same as far as they identify a race with this number of frames. */
static inline int session_same_place(const struct session_stack *a, const struct session_stack *b, uint32_t frames)
{
	for (uint32_t i = 0; i < frames; i++)
		if ((i < a->n ? a->pc[i] : 0) != (i < b->n ? b->pc[i] : 0))
			return 0;
	return 1;
}

/* Returns by how many frames of each stack the race is known. */
static inline uint32_t session_race_frames(const struct session_race *race)
{
	return race->process[0][0] ? SESSION_RACE_FRAMES : 1;
}

/* Returns whether two races are the same: races of threads with the same two code locations, in either order; races of
   processes whose innermost callers are the same, too. */
static inline int session_same_race(const struct session_race *a, const struct session_race *b)
{
	uint32_t frames = session_race_frames(a);
	if (!a->process[0][0] != !b->process[0][0])
		return 0;
	for (unsigned i = 0; i < 2; i++)
		if (session_same_place(&a->stack[0], &b->stack[i], frames) &&
			session_same_place(&a->stack[1], &b->stack[!i], frames))
			return 1;
	return 0;
}

#endif
