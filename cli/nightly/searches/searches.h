/* What a database knows of the searches and nights that machines share: for `simul search` and `simul work`. */
#ifndef SIMUL_SEARCHES_H
#define SIMUL_SEARCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/nightly/machines/engine.h"
#include "cli/nightly/machines/uuid.h"

/* A worker's slot: one process that explores, or what it left. */
struct searches_worker {
	char *machine;    /* name of the host */
	uint64_t process; /* the process there; 0: unknown */
	uint64_t executions;
	double rate;      /* executions per second, lately */
	double lease;     /* seconds until it ends; below 0: the machine was lost; NAN: it has left */
	double renewed;   /* seconds since the lease was prolonged; NAN: it has left */
	double stored;    /* seconds since its last commit; NAN: none */
	bool has_work;
};

/* A search of `simul run --search`. Times are seconds, NAN if there is none. */
struct searches_search {
	char id[UUID];
	char *command;            /* as cli/nightly/machines/command.h has it */
	size_t command_size;
	char *program;            /* its words, for people */
	char *state, *reason;     /* alone, shared, single, over; why one machine explores it */
	bool to_first_bug, stop;
	double begun, used, time_left, lease;
	uint64_t bugs, executions, blocked;
	uint64_t most;            /* executions after which it ends; 0: no limit */
	double rate, best_rate;   /* executions per second, lately; the highest rate of a worker, 0: unknown */
	double open;              /* tasks of the common part that no worker has, as lately counted; NAN: unknown */
	uint64_t estimate[3];     /* of all executions, with its range; 0: unknown */
	struct searches_worker *worker;
	size_t workers;
};

/* A night of `simul stress --search`. */
struct searches_night {
	char id[UUID];
	char *name;               /* NULL: none */
	double begun, time_left;
	bool over;
	uint64_t tests, settled, running, machines;
};

struct searches {
	double latency;           /* seconds that a query takes */
	struct searches_search *search;
	size_t n;
	struct searches_night *night;
	size_t nights;
};

/* Reads the list. `workers`: those of each search, too. A database without these schemas has none. false: one message was printed. */
bool searches_read(struct engine *e, bool workers, struct searches *out);
void searches_free(struct searches *s);

/* Returns whether a machine explores it now. */
bool searches_is_explored(const struct searches_search *s);
/* Returns "exploring", "over", ...: in words. */
const char *searches_state(const struct searches_search *s);
/* Returns how many tasks no worker has: open ones of the common part, and the parts of workers that have left or were
   lost. NAN: unknown. */
double searches_open(const struct searches_search *s);
/* Returns the seconds that an execution takes at most, by the best rate of a worker, which waits now and then; NAN:
   unknown. */
double searches_execution(const struct searches_search *s);
/* Returns whether machines explore it whose executions are so short that sharing them gains little or nothing. */
bool searches_are_too_fine(const struct searches_search *s);
/* Returns whether the worker has left or was lost, and what it has not explored waits for another one. */
bool searches_worker_is_free(const struct searches_worker *w);

#endif
