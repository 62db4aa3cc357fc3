/* From a finished execution in the segment to a recording with names, source lines and stacks. */
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
	const struct rec_memory *memory;     /* in whose pages the events name memory */
	const struct capture *output;
	pid_t pid;              /* a process whose memory map is that of the execution; 0 = there is none */
	const char *strategy;
	uint64_t number;        /* which execution of the search it was */
};

/* A new recording; confirmed and confirm_tries are left 0. Never NULL. */
struct recording *collect_recording(const struct collect_input *in);

/* Does the environment entry "NAME=value" belong into a recording? Not: secrets, and what describes the
   terminal or the login only. */
bool collect_env_matters(const char *entry);

#endif
