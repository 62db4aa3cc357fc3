/* Descriptions of the data races met by the search; equal races are listed once. */
#ifndef SIMUL_RACE_TEXT_H
#define SIMUL_RACE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/session.h"
#include "recorder/recording.h"
#include "recorder/symbols/symbols.h"
#include "sched/ids.h"

struct race_note {
	char *object;         /* "counter"; never NULL */
	char *where[2];       /* "a.c:10"; "?" when unknown */
	char *process[2];     /* "bus.cpu0": the SystemC processes that race; "": threads do. Never NULL */
	uint64_t delta;       /* the delta cycle in which these processes raced first */
	char *text;           /* "counter: written at a.c:10 by T0.1, read at a.c:22 by T0.2" */
	bool certain;         /* at least one of the accesses is certainly not atomic */
	bool locked;          /* one access is certainly atomic, so the other probably is, too */
	uint64_t count;       /* how often it was seen */
};

struct race_notes {
	size_t n;
	struct race_note *note;
	uint32_t unnamed;     /* pairs of accesses of processes whose code has no names of functions */
	uint32_t missed;      /* enum races_missed */
	uint32_t left_out;    /* races omitted for lack of room */
};

/* Describes the races. `symbols` may be NULL. `known`: a recording that may have better names for memory; NULL: none. */
void races_describe(struct race_notes *out, const struct session_races *races, const struct thread_names *names,
	struct symbols *symbols, const struct recording *known);
/* Prints the races. `bugs`: they were treated as bugs. */
void races_print(const struct race_notes *notes, bool bugs, FILE *out);
void races_free(struct race_notes *notes);

/* Returns the line of the user's source that made the access or the call, or that called the function that did; "?" if it is not known.
   `symbols` may be NULL. malloc()ed. */
char *stack_where(const struct session_stack *s, struct symbols *symbols);

/* "counter: written at a.c:10 by T0.1, read at a.c:22 by T0.2" for race number i. malloc()ed. */
char *race_text(const struct session_races *races, uint32_t i, const struct thread_names *names,
	struct symbols *symbols, const struct recording *known);

#endif
