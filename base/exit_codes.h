/* Exit codes of every simul command. Scripts rely on them: never renumber. */
#ifndef SIMUL_EXIT_CODES_H
#define SIMUL_EXIT_CODES_H

enum simul_exit {
	SIMUL_EXIT_OK = 0,         /* no bug found */
	SIMUL_EXIT_BUG = 1,        /* a bug was found (run), or the recorded failure happened again (replay) */
	SIMUL_EXIT_USAGE = 2,      /* usage error or unusable input */
	SIMUL_EXIT_INCOMPLETE = 3, /* search incomplete, and --require-complete was given */
	SIMUL_EXIT_DIVERGED = 4,   /* a replay diverged, or the recording is unusable here */
	SIMUL_EXIT_INTERNAL = 70,  /* a fault of simul itself */
};

#endif
