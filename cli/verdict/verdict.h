/* What may be said of a search when it ends. */
#ifndef SIMUL_VERDICT_H
#define SIMUL_VERDICT_H

#include <stdbool.h>

struct recording;
struct run;

/* What limits left out of a search; the number is ROUNDS_TRIED. */
#define LIMITED_TEXT "waiting loops tried up to 2 rounds"
#define ENDLESS_TEXT "threads that looped without end tried up to 2 rounds of their loops"

/* Decides the verdict from the counters, and the reason if it is weaker than complete. */
void verdict_decide(struct run *run);
/* Prints the summary and the verdict line. */
void verdict_print(struct run *run);
/* Describes the bug in a few words: "deadlock at pool.c:88 in T0.2". malloc()ed. */
char *verdict_bug_text(const struct recording *r);
int verdict_exit_code(const struct run *run);
/* Returns the bounds that the verdict VERDICT_BOUNDED names, as bits; 0 with another verdict. */
enum { BOUNDED_PREEMPTIONS = 1, BOUNDED_ROUNDS = 2 };
unsigned verdict_bounded_by(const struct run *run);
/* Returns what limits have left out of the search so far (LIMITED_TEXT, ENDLESS_TEXT); NULL: nothing. */
const char *verdict_limits(const struct run *run);
/* Returns whether only the code between simul_explore_begin and simul_explore_end was explored. */
bool verdict_only_regions(const struct run *run);

#endif
