/* Advice after an unfinished search: words that threads used like locks, and the options that have them taken as locks. */
#ifndef SIMUL_LOCK_ADVICE_H
#define SIMUL_LOCK_ADVICE_H

struct run;

/* Prints it if the search is not complete. Call it after verdict_decide. */
void lock_advice_show(const struct run *run);

#endif
