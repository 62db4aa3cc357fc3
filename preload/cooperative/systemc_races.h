/*
 * Races between two SystemC processes of one delta cycle, in the session's list (preload/memory/data_races.h) and, with
 * --fail-on-race, as bugs.
 *
 * A search asks the supervisor about each new race, because the kernel's accesses are none, and the
 * supervisor knows them by the names of functions and files. A forced or guided execution ends at the race with the
 * signature that it was given.
 */
#ifndef SIMUL_SYSTEMC_RACES_H
#define SIMUL_SYSTEMC_RACES_H

struct watched_access;

/* Notes where the frames of sc_main and its callers are, so that its variables get names. Called on their stack, inside
   simul, before the first process runs. */
void process_races_start(void);
/* Two processes, which have these names, made these accesses in one delta cycle, and nothing orders them. Called inside
   simul at the end of the second one's step. Does not return if the race is a bug. */
void process_race(const struct watched_access *first, const char *first_process, const struct watched_access *second,
	const char *second_process);

#endif
