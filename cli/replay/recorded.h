/* A recording as something to run again: read, its program found and checked, its schedule made. */
#ifndef SIMUL_RECORDED_H
#define SIMUL_RECORDED_H

#include <stdbool.h>

#include "cli/target/capture.h"
#include "cli/bugs/rerun.h"
#include "cli/target/target.h"
#include "recorder/recording.h"
#include "replay/confirm.h"

/* Where the program's variables come from: the recording, or the environment of the replay. */
enum recorded_env { RECORDED_ENV = 0, RECORDED_ENV_CURRENT };
extern const char *const recorded_env_choices[]; /* their names, for --env */

struct recorded {
	const char *path;
	struct recording *recording;
	bool ours;              /* this user made it on this machine */
	char why_not_ours[256];
	uint32_t choice;        /* enum recorded_env */
	char **env;             /* of the program: NULL-terminated; its entries are not owned */
	struct target target;
	struct capture input;
	struct schedule schedule;
	char **spare; /* see struct target */
};

/*
 * Reads the file, and decides which environment the program gets. Variables that make the loader or the C library load or write
 * other files (LD_PRELOAD, GCONV_PATH, ...) are taken from the recording only when it is the user's own. false: one message was printed.
 */
bool recorded_read(struct recorded *rec, const char *path, uint32_t env);
/* Finds the program, which must be the one that was recorded, its standard input, and the schedule. false: one message was printed. */
bool recorded_prepare(struct recorded *rec);
/* How the schedule is run as it was recorded: without stacks and at_end. */
struct rerun recorded_rerun(const struct recorded *rec, uint64_t hang_ns);
void recorded_close(struct recorded *rec);

#endif
