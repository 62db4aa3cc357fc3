/* `simul doctor`: declarations shared by its files. */
#ifndef SIMUL_DOCTOR_H
#define SIMUL_DOCTOR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/base/json_out.h"
#include "cli/doctor/own_libraries.h"
#include "base/base_name.h"
#include "base/session.h"
#include "cli/target/capture.h"
#include "cli/doctor/doctor_facts.h"
#include "cli/options/options.h"
#include "cli/segment/segment.h"
#include "cli/target/target.h"

struct doctor_options {
	struct option_list patch; /* patterns */
	const char *json;
	bool all, run;
};

/* A function whose accesses are not seen. */
struct doctor_hole {
	char *name;         /* malloc()ed; NULL: no symbol */
	const char *module; /* base name; in the sensors' report */
	uint64_t offset;    /* in the module */
	const char *reason;
};

struct doctor {
	struct doctor_options opt;
	struct target target;
	struct capture capture;
	struct segment seg;
	struct doctor_facts facts;        /* of the program's file */
	struct session_sensors *sensors;  /* what the target reported; `modules` and `holes` count all, the lists are truncated */
	struct doctor_hole *hole;
	size_t n_holes;                   /* number of entries in `hole` */
	char **unseen;                    /* loaded libraries without a sensor, such as "libz.so" */
	size_t n_unseen;
	struct own_libraries own;
	bool randomised;                  /* address randomisation is on for its memory */
	json_t *short_run;                /* what `simul run` wrote about a short search; NULL: there was none */
	char unplaced[SESSION_MESSAGE];   /* why its memory could not be placed at fixed addresses; "": it was */
	FILE *human;
};

/* Returns whether the program or one of its libraries was compiled with -fsanitize=thread. */
static inline bool doctor_tsan(const struct doctor *d)
{
	return d->sensors->tsan != 0;
}

/* Returns the number of modules described in the list. */
static inline uint32_t doctor_modules(const struct doctor *d)
{
	return d->sensors->modules < SESSION_MODULES ? d->sensors->modules : SESSION_MODULES;
}

/* Returns the base name of a module. The loader has no name for the program itself. */
static inline const char *doctor_module_name(const struct doctor *d, uint32_t i)
{
	const char *path = d->sensors->module[i].path;

	return base_name(*path ? path : d->target.path);
}

/* Returns whether any of the program's code has a sensor. */
static inline bool doctor_sees_accesses(const struct doctor *d)
{
	return doctor_tsan(d) || (doctor_modules(d) && !d->sensors->module[0].refused[0]);
}

/* doctor_run.c: searches the program for a short time, and fills in d->short_run. false: one message was printed. */
bool doctor_run(struct doctor *d);
/* doctor_run.c: prints what it showed to d->human. */
void doctor_run_report(const struct doctor *d);
/* doctor_report.c: prints the report to d->human. */
void doctor_report(struct doctor *d);
/* doctor_json.c: writes the report to --json. false: one message was printed. */
bool doctor_json(const struct doctor *d);

#endif
