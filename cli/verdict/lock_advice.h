/* Advice after an unfinished search: words that threads used like locks, and the options that have them taken as locks. */
#ifndef SIMUL_LOCK_ADVICE_H
#define SIMUL_LOCK_ADVICE_H

#include <stdbool.h>

#include "cli/base/json_out.h"

struct search;

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

/* Fills in *out, for a search that is not complete. */
void lock_advice_find(struct lock_advice *out, const struct search *search);
/* Prints it. */
void lock_advice_show(const struct lock_advice *a);
/* Returns it as a JSON array. */
json_t *lock_advice_json(const struct lock_advice *a);
void lock_advice_free(struct lock_advice *a);

#endif
