/* What the sensors saw of the program's code: how much a finished search proves. */
#ifndef SIMUL_COVERAGE_H
#define SIMUL_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/session.h"
#include "recorder/symbols.h"

struct coverage {
	bool library_only;    /* accesses of the program's own code were not seen */
	uint64_t uncovered;   /* functions whose accesses were not seen */
	char why[768];        /* what was not seen, in words; "" when all code of interest was */
};

/* What was seen by a search with this configuration. `symbols` may be NULL: functions are not named then. */
void coverage_decide(struct coverage *c, const struct session_sensors *s, const struct session_unseen *calls, const struct session_config *config,
	struct symbols *symbols);

/* Is the pattern of a --patch option the name of some module that was looked at? */
bool coverage_matches(const struct session_sensors *s, const char *pattern);

/* " for library-level operations (why)", ", but for 3 functions ...": what follows the word "complete". "" when nothing has to
   be said. */
void coverage_text(const struct coverage *c, char *buf, size_t size);

#endif
