/* What the sensors saw of the program's code: how much a finished search proves. */
#ifndef SIMUL_COVERAGE_H
#define SIMUL_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/session.h"
#include "cli/segment/segment.h"
#include "recorder/symbols/symbols.h"

struct coverage {
	bool library_only;    /* accesses of the program's own code were not seen */
	uint64_t uncovered;   /* functions whose accesses were not seen */
	char locks[256];      /* what was assumed and left out: "locks of Rust's std (3 objects) taken as locks"; "": nothing */
	char why[1536];       /* what was not seen, in words; "": all relevant code was seen */
};

/* Decides what a search with this configuration saw. `symbols` may be NULL: then functions are not named. */
void coverage_decide(struct coverage *c, const struct session_sensors *s, const struct session_control *ctl,
	const struct session_config *config, struct symbols *symbols);

/* Sets c->locks: the locks that were taken as locks. */
void coverage_locks(struct coverage *c, const struct segment *seg);
/* Returns whether the pattern of a --patch option matches the name of a loaded module. */
bool coverage_matches(const struct session_sensors *s, const char *pattern);

/* Writes the text that follows the word "complete": " for library-level operations (why)", or ", except for 3 functions ..."; "" if nothing
   was missed. */
void coverage_text(const struct coverage *c, char *buf, size_t size);

#endif
