/* The options of `simul run`, which `simul certify` has too. */
#ifndef SIMUL_RUN_OPTIONS_H
#define SIMUL_RUN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/settings.h"
#include "cli/options/options.h"

#define WORKERS_MOST 64 /* --jobs is at most this */
#define NO_BOUND UINT32_MAX
#define STRATEGY_DEFAULT UINT32_MAX /* until the command line has been read */

/* --own-locks: what locks are that are not pthread's. */
enum own_locks { OWN_LOCKS_ASSUME, OWN_LOCKS_EXPLORE };

/* The command line. */
struct run_options {
	struct settings settings; /* `patch` and known_locks follow from other options */
	uint32_t strategy, isolation;
	uint32_t shuffle;
	uint32_t jobs; /* 0: as many as there are processors */
	uint32_t preemptions; /* NO_BOUND: not given */
	uint32_t depth; /* 0: not given */
	uint32_t own_locks; /* enum own_locks */
	struct option_list lock, leave_out; /* patterns of functions */
	uint64_t executions, time_ns, hang_ns, memory;
	const char *certificate; /* certify -o; NULL: run */
	const char *from;        /* certify --from; NULL: not given */
	const char *passing;     /* run --passing; NULL: not given */
	const char *search;      /* run --search: URL of a database; NULL: not given */
	const char *output_dir, *json, *sarif, *resume_dir, *keep_files;
	struct option_list patch; /* patterns */
	bool no_patch, sections;
	bool keep_going, quiet, require_complete, show_output, no_minimize, no_snapshots;
};

/* The values of options that choose one of several. Each list is in the order of its enum and ends with NULL. */
extern const char *const choices_isolation[];      /* enum session_isolation */
extern const char *const choices_own_locks[];      /* enum own_locks */

/* Returns the options of run, for commands that have some of them. */
const struct option_spec *run_option_specs(void);

/* Returns the name, without dashes, of the option that sets this setting to its value; NULL if there is none. */
const char *run_option_of(const struct setting *of);
/* Returns whether the setting has another value than without its option, which there must be. */
bool run_option_given(const struct settings *s, const struct setting *of);

/* Reads the options of `simul run` or `simul certify`; see options_read. */
bool run_options_read(struct run_options *o, bool certify, int argc, char **argv, int *first, int *code);

#endif
