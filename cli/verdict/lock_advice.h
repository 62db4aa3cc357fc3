/* Advice after an unfinished search: words that threads used like locks, and the options that have them taken as locks. */
#ifndef SIMUL_LOCK_ADVICE_H
#define SIMUL_LOCK_ADVICE_H

#include <stdbool.h>

#include "cli/base/json_out.h"

struct run;

#define LOCK_ADVICE_LINES 4

/* A word that behaved like a lock. The texts are malloc()ed. */
struct lock_advice_line {
	char *option; /* one or several --lock */
	char *word;
	char *taker;  /* where it is taken, in words */
	bool inlined; /* the function that `option` names has others in it */
	unsigned others; /* further words with the same option */
};

struct lock_advice {
	struct lock_advice_line line[LOCK_ADVICE_LINES];
	unsigned lines;
	unsigned nameless; /* words that behaved like locks, where no function that takes them has a name */
};

/* Fills in run->lock_advice if the search is not complete. Call it after verdict_decide. */
void lock_advice_find(struct run *run);
/* Prints it. */
void lock_advice_show(const struct run *run);
/* Returns it as a JSON array. */
json_t *lock_advice_json(const struct run *run);
void lock_advice_free(struct lock_advice *a);

#endif
