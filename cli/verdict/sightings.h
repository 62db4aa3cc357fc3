/* Which code a search covered, and which data races it saw. */
#ifndef SIMUL_SIGHTINGS_H
#define SIMUL_SIGHTINGS_H

#include "cli/collect/race_text.h"
#include "cli/verdict/circle_text.h"
#include "cli/verdict/coverage.h"

struct findings;
struct search;

struct sightings {
	struct coverage coverage;
	struct race_notes races;
	struct circle_note circle;
};

/* Records the addresses of the target's code while a process exists. */
void sightings_look(struct search *search);
/* Call it after the search: decides what was covered, and which races there were. */
void sightings_decide(struct sightings *out, struct search *search, const struct findings *findings);
void sightings_free(struct sightings *s);

#endif
