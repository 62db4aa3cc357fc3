/* What may be said of a search when it ends. */
#ifndef SIMUL_VERDICT_H
#define SIMUL_VERDICT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/session.h"
#include "cli/verdict/lock_advice.h"
#include "cli/verdict/sightings.h"
#include "explore/explore.h"

struct findings;
struct recording;
struct search;
struct segment;

/* What limits left out of a search; the number is ROUNDS_TRIED. */
#define LIMITED_TEXT "waiting loops tried up to 2 rounds"
#define ENDLESS_TEXT "threads that looped without end tried up to 2 rounds of their loops"

enum verdict_kind { VERDICT_COMPLETE, VERDICT_BOUNDED, VERDICT_INCOMPLETE, VERDICT_BUG };

struct verdict {
	/* of what it is the verdict: set by the caller, with `seen` and the time that the search took */
	struct search *search;
	struct findings *findings;
	struct sightings seen;
	double seconds;
	char kernel_threads_for[SESSION_MESSAGE]; /* a call because of which the program needs kernel threads; "": none */
	/* set by verdict_decide */
	enum verdict_kind kind;
	struct explore_stats stats;   /* of all workers */
	bool unusable;                /* nothing could be explored: exit 2 */
	bool no_threads;              /* the reason for `unusable`: the program ended normally without creating a thread */
	bool internal;                /* an internal error of simul: exit 70 */
	uint32_t uncontrolled, native_children;
	const char *limited;          /* the search has ended, but limits left out what this says (sched/rounds.h, sched/endless.h); NULL: nothing */
	const char *weakness;         /* part of `reason`: why the explored executions prove less; NULL: nothing weakens them */
	char reason[1536];            /* why the search is not complete; "" when it is */
	/* set by the caller afterwards */
	struct lock_advice lock_advice;
};

/* Decides the verdict from the counters, and the reason if it is weaker than complete. */
void verdict_decide(struct verdict *v);
/* Prints the summary and the verdict line. */
void verdict_print(const struct verdict *v, FILE *out);
/* Describes the bug in a few words: "deadlock at pool.c:88 in T0.2". malloc()ed. */
char *verdict_bug_text(const struct recording *r);
int verdict_exit_code(const struct verdict *v);
/* Returns whether the search can go on, or could have explored more. */
bool verdict_is_unfinished(const struct verdict *v);
/* Returns the bounds that the verdict VERDICT_BOUNDED names, as bits; 0 with another verdict. */
enum { BOUNDED_PREEMPTIONS = 1, BOUNDED_ROUNDS = 2 };
unsigned verdict_bounded_by(const struct verdict *v);
/* Returns what limits have left out of the search so far (LIMITED_TEXT, ENDLESS_TEXT); NULL: nothing. */
const char *verdict_limits(const struct segment *seg);
/* Returns whether only the code between simul_explore_begin and simul_explore_end was explored. */
bool verdict_only_regions(const struct segment *seg);

#endif
