/* A recording prepared for running: read, its program found and checked, its schedule built. */
#ifndef SIMUL_RECORDED_H
#define SIMUL_RECORDED_H

#include <stdbool.h>

#include "cli/options/options.h"
#include "cli/target/capture.h"
#include "cli/bugs/rerun.h"
#include "cli/target/target.h"
#include "recorder/recording.h"
#include "replay/confirm.h"

/* Source of the program's environment variables: the recording, or the environment of the replay. */
enum recorded_env { RECORDED_ENV = 0, RECORDED_ENV_CURRENT };
extern const char *const recorded_env_choices[]; /* their names, for --env */

/* Options of each command that runs a recording. OPTIONS_INTO has the members trust, env, hang_ns and quiet. */
#define RECORDED_OPTIONS \
	{"trust", NULL, TO_FLAG(trust), \
		"run a recording made by another user or on another machine\n" \
		"without asking"}, \
	{"env", "recorded|current", TO_CHOICE(env, recorded_env_choices), "use the environment of the recording (default) or this one"}, \
	{"hang-timeout", "TIME", TO_DURATION(hang_ns, NS_PER_S / 10, 86400 * NS_PER_S), "as for run (default %)", .initial = "10s"}, \
	{"quiet", NULL, TO_FLAG(quiet), "print only the last line", .letter = 'q'}

struct recorded {
	const char *path;
	struct recording *recording;
	bool ours;              /* this user made it on this machine */
	char why_not_ours[256];
	uint32_t choice;        /* enum recorded_env */
	char **env;             /* of the program: NULL-terminated; its entries are not owned */
	char **argv;            /* of the program: NULL-terminated; its entries are not owned */
	struct target target;
	struct capture input;
	struct schedule schedule;
	char **spare; /* see struct target */
};

/*
 * Reads the file and chooses the program's environment. Variables that make the dynamic linker or the C library load or write other files
 * (LD_PRELOAD, GCONV_PATH, ...) are taken from the recording only if it is the user's own. An argument that is masked in the recording is
 * taken from its variable (cli/collect/kept_env.h), if that is set. false: one message was printed.
 */
bool recorded_read(struct recorded *rec, const char *path, uint32_t env);
/* Finds the program, which must be the recorded one, and its standard input, and builds the schedule. false: one message was printed. */
bool recorded_prepare(struct recorded *rec);
/* Returns the settings to run the schedule as recorded, without stacks and at_end. */
struct rerun recorded_rerun(const struct recorded *rec, uint64_t hang_ns);
void recorded_close(struct recorded *rec);

#endif
