/*
 * The text of a divergence: a replay met another operation than was recorded.
 */
#ifndef SIMUL_DIVERGE_H
#define SIMUL_DIVERGE_H

#include <stdio.h>

#include "base/session.h"
#include "recorder/recording.h"
#include "recorder/report.h"

struct diverge_context {
	const char *recording_path;  /* as the user gave it; for the commands to try. NULL: "FILE.simul" */
	const char *found_where;     /* "queue.c:41 in worker": where the found operation is; NULL unknown */
	const char *found_object[2]; /* names of the objects found; NULL: those of the recording with that number */
	bool other_build;            /* the program was rebuilt since (build-ids differ) */
};

/*
 * Prints the report. Thread ids in *d are indices into r->threads (the replay interned the recorded
 * paths in this order); larger ones are threads the recording does not know.
 */
void diverge_report(FILE *out, const struct recording *r, const struct session_divergence *d,
	const struct diverge_context *context, const struct report_options *options);

#endif
