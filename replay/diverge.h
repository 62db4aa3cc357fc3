/*
 * The report of a divergence: a replay met another operation than recorded.
 */
#ifndef SIMUL_DIVERGE_H
#define SIMUL_DIVERGE_H

#include <stdio.h>

#include "base/session.h"
#include "recorder/recording.h"
#include "recorder/report/report.h"

struct diverge_context {
	const char *recording_path;  /* as the user gave it, for the suggested commands; NULL: "FILE.simul" */
	const char *found_where;     /* the position of the operation found, "queue.c:41 in worker"; NULL: unknown */
	const char *found_object[2]; /* names of the objects found; NULL: use the recorded names of the same ids */
	bool other_build;            /* the program was rebuilt (its build-id differs) */
};

/*
 * Prints the report. Thread ids in *d are indices into r->threads, because the replay interned the recorded
 * paths in this order. Larger ids are threads that the recording does not have.
 */
void diverge_report(FILE *out, const struct recording *r, const struct session_divergence *d,
	const struct diverge_context *context, const struct report_options *options);

#endif
