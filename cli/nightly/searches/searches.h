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
	char *machine;
	uint64_t executions;
	double rate;      /* executions per second, lately */
	double lease;     /* seconds until it ends; below 0: the machine was lost; NAN: it has left */
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
	double rate;
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

#endif
