/*
 * Sections as steps: the critical sections of a mutex between which no other thread can tell whether they were interrupted.
 *
 * A section begins with the event that locks a mutex m, or with the wake-up that locks it again after a wait. It ends with
 * the event that gives m up: an unlock, or a wait on a condition. It is a *step* when its thread does nothing inside but
 * access memory and signal conditions, and at most one of these operations is not guarded. The wait and the wake-up count
 * as well. An access is *guarded* by m when every access to its bytes, in all executions, is made by a thread that holds
 * m, or that is the only live one; an operation on a condition, when all operations on the condition are. (A thread that is
 * woken takes m in the same event, so it counts as holding m; not if its wait may end in another way.) What is guarded
 * commutes with everything that other threads can do in the meantime. So every execution has the same values as one in
 * which no other thread runs inside the section (Lipton, CACM 1975). Therefore the lock of a step has mode SECT, its end
 * has mode NONE for m, and other threads have no choices in between (region.h). Two steps of one mutex are dependent only
 * by what they access; that is their footprint.
 *
 * A call with an effect that is neither an event nor a seen access (a file, a stream, state of libc or the kernel, a library that is not seen) is
 * reported with section_opaque, and opens the section: other sections of its mutex may depend on it in ways that no footprint shows.
 *
 * All other sections are *open*: their events are those of a search without steps. The table records which sections are open, by the place in the
 * code that locks a mutex: it is open for good after one of its sections did something else. A mutex on which the program does anything
 * but lock and unlock (trylock, a timeout, initialising or destroying while other threads live, an unlock that fails) has open sections only.
 * New entries apply from the next execution on, and a search must then begin again. The table only grows, so that this ends.
 *
 * All workers of a search use one table, since an access must be guarded in the executions of all of them. So the facts
 * in the table are written with atomic operations, and are valid even if a worker is killed while it writes. What the
 * running search uses (`applied`, ...) changes only while there is one worker.
 *
 * Searching with steps costs more than it saves where there are none. So a search is *plain* as long as no section is known that may be a
 * step: all sections are open in it. Where one is met, the search begins again with steps.
 */
#ifndef SIMUL_SECTION_H
#define SIMUL_SECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/event.h"

struct world;
struct wthread;

#define SECTION_PLACES 1024u
#define SECTION_WORDS 16384u /* a power of two */
#define SECTION_BEGUN 64u
#define SECTION_NO_GUARD UINT64_MAX

/* Rules that a test can switch off, to show that it fails without them: at most one access is not guarded; trylock opens all sections of
   the mutex; an access without the mutex is not guarded; nor is an operation on a condition. */
enum section_rule { RULE_ONE_UNGUARDED = 1, RULE_TRYLOCK = 2, RULE_GUARD = 4, RULE_CONDITION = 8 };

/* What is known of the sections of a program. Zeroed memory is an empty table. It contains no pointer, and lies in the session. */
struct section_table {
	uint32_t off;     /* 1: all sections are open: the table is full, a thread was cancelled or got a signal, or there is code whose accesses
	                     and calls are not seen */
	uint32_t applied; /* places that are open and that the running search knows: the first ones */
	uint32_t applied_off;
	uint32_t changes; /* incremented with each new fact that a search must begin again for */
	uint32_t applied_changes;
	uint32_t plain;   /* 1: no section is a step in the running search, because none may be one */
	uint32_t without; /* enum section_rule, one bit each: left out */
	uint32_t begun_n; /* places where a section may have begun a step; SECTION_BEGUN or more: perhaps others */
	struct section_place {
		uint64_t mutex, pc;
	} begun[SECTION_BEGUN];
	uint64_t open[SECTION_PLACES]; /* 0: no further place */
	struct guarded_word {
		uint64_t word;  /* cell and number of the 4 bytes in it, plus 1; 0: empty */
		uint64_t mutex; /* its address; SECTION_NO_GUARD: they have none in common; 0: not known */
	} guard[SECTION_WORDS];
};

/* Returns whether the table has facts that the running search does not use yet. */
bool sections_news(const struct section_table *s);
/* Makes the new facts of the table apply to the next search. Call it between two executions. */
void sections_apply(struct section_table *s);
/* Decides whether the next search has steps, after sections_apply. may_be_plain: false if it has in any case, so that it learns which sections
   may be steps. Returns whether it has. Call it between two executions. */
bool sections_start(struct section_table *s, bool may_be_plain);
/* Returns whether sections that begin with a lock of the mutex at this address, at this place in the code, are open in this search. */
bool section_is_open(const struct section_table *s, uint64_t mutex, uint64_t pc);

/* All sections are open from the next search on. */
void sections_off(struct section_table *s);
/* Call it when the running thread makes a call with an effect that other threads may notice and that neither an event nor an access shows. */
void section_opaque(struct world *w, thread_id running);

/* Returns whether the pending operation of t, a lock of a mutex that t does not hold, begins a step. */
bool section_begins(const struct world *w, const struct wthread *t);
/* Returns whether the pending operation of t ends a step. Its event has mode NONE, but names the mutex, as it does in a replay without
   steps. */
bool section_ends(const struct world *w, const struct wthread *t);
/* Returns the event as it would be if its section was open. */
struct event section_opened(const struct event *e);
/* Call it when t has announced an operation. Records what the announcement alone shows, since the operation may never be performed. */
void section_announced(struct world *w, struct wthread *t);
/* Call it when t has performed *e. Learns from it. */
void section_performed(struct world *w, struct wthread *t, const struct event *e);

#endif
