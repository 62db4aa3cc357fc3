/* What the files night*.c know of the night. */
#ifndef SIMUL_STRESS_NIGHT_INTERNAL_H
#define SIMUL_STRESS_NIGHT_INTERNAL_H

#include <jansson.h>

#include "cli/nightly/machines/engine.h"
#include "cli/nightly/machines/uuid.h"
#include "cli/nightly/stress/stress.h"

/* A turn of this machine. */
struct turn {
	char token[UUID];
	int slices;     /* in this night, when it was taken */
	char *outcome;  /* of earlier turns; NULL: this is the first */
	char *refused;  /* why it cannot be run here; NULL: it can */
};

struct night {
	struct engine *engine;
	char id[UUID], runner[UUID], machine[128], token[UUID]; /* token: of the next turn */
	json_t *not_here; /* numbers of the tests that cannot be run here */
	size_t n;         /* tests of the night */
	size_t waiting, held, done;
	unsigned capacity;
	long help;        /* number of a test that another machine searches, and that this one can help with; -1: none */
	unsigned mine;    /* turns that this machine has */
	bool over, begun, failed;
	uint64_t asked_ns, kept_ns;
	double left_s;    /* when it was joined; negative: no limit */
};

/* night_help.c: returns a copy of the test n->help for a process that helps; NULL: there is none, or it cannot be done here. */
struct stress_test *help_begin(struct stress *s);

#endif
