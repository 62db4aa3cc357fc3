/* Which code a search covered, and which data races it saw. */
#ifndef SIMUL_SIGHTINGS_H
#define SIMUL_SIGHTINGS_H

struct run;

/* Records the addresses of the target's code while a process exists. */
void sightings_look(struct run *run);
/* Call it after the search: decides what was covered, and which races there were. */
void sightings_decide(struct run *run);
void sightings_free(struct run *run);

#endif
