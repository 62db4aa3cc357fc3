/* A search of `simul run` or `simul certify`: the program, the options, and what runs it. */
#ifndef SIMUL_SUPERVISE_SEARCH_H
#define SIMUL_SUPERVISE_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/session.h"
#include "cli/options/run_options.h"
#include "cli/segment/common_memory.h"
#include "cli/segment/segment.h"
#include "cli/supervise/bounds.h"
#include "cli/supervise/lengthy.h"
#include "cli/supervise/progress.h"
#include "cli/supervise/supervisor.h"
#include "cli/supervise/workers.h"
#include "cli/target/capture.h"
#include "cli/target/target.h"

struct schedule;

struct search {
	struct run_options opt;
	struct target target;
	struct capture capture;
	struct schedule *from;        /* --from: what the first execution follows; NULL: not given */
	struct segment seg;
	struct session_config config;
	struct supervision sup;
	unsigned jobs;                /* requested number */
	struct workers workers;
	struct common_memory common;
	uint64_t start_ns;            /* wall_clock_ns() */
	struct progress progress;
	struct pace pace;
	struct lengthy lengthy;
	bool advised;                 /* advice_show has printed its line */
	char *maps;                   /* /proc/PID/maps of the target when executions began, malloc()ed; NULL: unknown */
};

#endif
