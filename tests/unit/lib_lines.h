/* Programs whose threads exist from the start and only touch objects, for tests of strategies that sample. */
#ifndef SIMUL_LIB_LINES_H
#define SIMUL_LIB_LINES_H

#include "sched/strategy.h"

#define LINES_THREADS 6
#define LINES_MOST 24 /* events */

/* Thread t performs code[t]: each letter is an event on the object of that name. */
struct lines {
	unsigned n;
	const char *code[LINES_THREADS];
};

/* Begins an execution and runs it. Writes the order of the threads as a string like "0110". The caller ends it with
   *trace, which is valid until the next call. */
void lines_begin(const struct lines *p, struct strategy *s, char order[LINES_MOST + 1], struct trace *trace);
/* Runs one execution, which ends well. */
void lines_run(const struct lines *p, struct strategy *s, char order[LINES_MOST + 1]);

/* Different orders, and how often each was seen. */
struct orders {
	unsigned n, count[512];
	char order[512][LINES_MOST + 1];
};
void orders_add(struct orders *o, const char *order);

#endif
