/* A search that is saved and loaded: declarations shared by resume.c and resume_load.c. */
#ifndef SIMUL_RESUME_INTERNAL_H
#define SIMUL_RESUME_INTERNAL_H

#include "cli/bugs/findings.h"
#include "cli/resume/resume.h"
#include "cli/resume/state_file.h"
#include "cli/resume/state_identity.h"
#include "cli/supervise/search.h"

struct resume {
	struct search *search;
	struct findings *findings;
	const char *dir;
	char *path;              /* of the state file */
	int lock;                /* descriptor of the lock file */
	bool put_back;           /* files are as before the program started */
	bool loaded, finished;   /* the search was loaded; it had finished */
	uint64_t started;        /* executions_started of the first worker when the search was loaded; 0: a new search */
	uint64_t loaded_executions; /* of all workers then */
	bool looked;             /* the process's memory addresses were compared with the saved ones */
	bool refused;            /* they differed */
	bool writing;            /* save_end must follow */
	bool kept;               /* the final state of the search was saved */
	bool failed;             /* the last save failed, and the user has been notified */
	struct identity identity; /* identity in the file; text NULL: not known yet */
	struct restored restored;
	uint64_t earlier_ns;     /* time of the runs before this one */
	uint64_t saved_executions; /* as counted in the file last written or read */
	uint32_t uncontrolled, native_children; /* as counted in the file that was read */
	uint64_t saving_executions;
	uint64_t paused_ns;      /* when workers were paused for the last save */
	struct state_writer writer;
};

/* SECTION_TOTALS: data that is neither in the segment nor in a bug. */
struct state_totals {
	uint64_t nanoseconds, executions;
	uint32_t randomised;
	uint32_t windows; /* 1: the search of auto went on with windows */
};

/* Returns the number of counted executions of all workers. */
uint64_t resume_executions(const struct search *search);

#endif
