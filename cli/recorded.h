/* A recording as something to run again: read, its program found and checked, its schedule made. */
#ifndef SIMUL_RECORDED_H
#define SIMUL_RECORDED_H

#include <stdbool.h>

#include "cli/capture.h"
#include "cli/rerun.h"
#include "cli/target.h"
#include "recorder/recording.h"
#include "replay/confirm.h"

struct recorded {
	const char *path;
	struct recording *recording;
	struct target target;
	struct capture input;
	struct schedule schedule;
	char **spare; /* see struct target */
};

/* Reads the file. false: one message was printed. */
bool recorded_read(struct recorded *rec, const char *path);
/* Finds the program, which must be the one that was recorded, its standard input, and the schedule. false: one message was printed. */
bool recorded_prepare(struct recorded *rec);
/* How the schedule is run as it was recorded: without stacks and at_end. */
struct rerun recorded_rerun(const struct recorded *rec, uint64_t hang_ns);
void recorded_close(struct recorded *rec);

#endif
