/* Turns a finished execution in the segment into a recording with names, source lines and stacks. */
#ifndef SIMUL_COLLECT_H
#define SIMUL_COLLECT_H

#include <sys/types.h>

#include "cli/target/capture.h"
#include "cli/segment/segment.h"
#include "cli/target/target.h"
#include "recorder/recording.h"

struct collect_input {
	const struct target *target;
	const struct segment *seg;
	const struct execution *execution; /* from seg */
	const struct session_config *config; /* of the search that found it */
	char *const *patterns;               /* --patch; NULL-terminated */
	const struct rec_memory *memory;     /* the pages in which the events name memory */
	const struct capture *output;
	pid_t pid;              /* a process with the memory map of the execution; 0: none exists */
	const char *strategy;
	uint64_t number;        /* index of the execution in the search */
	const struct recording *also; /* the environment variables that it keeps are kept here too; NULL: none */
};

/* Returns a new recording, never NULL; confirmed and confirm_tries are left 0. */
struct recording *collect_recording(const struct collect_input *in);

#endif
