/* `simul stress`: declarations shared by its files. */
#ifndef SIMUL_STRESS_H
#define SIMUL_STRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/base/child_processes.h"
#include "cli/nightly/stress/test.h"
#include "cli/options/options.h"

enum stress_framework {
	FRAMEWORK_NONE,
	FRAMEWORK_GTEST,
	FRAMEWORK_CMOCKA,
	FRAMEWORK_GLIB,
	FRAMEWORK_CATCH2,
	FRAMEWORK_DOCTEST,
	FRAMEWORK_BOOST,
	FRAMEWORK_CHECK,
	FRAMEWORK_CTEST,
	FRAMEWORK_MESON,
	FRAMEWORK_AUTOMAKE,
	FRAMEWORK_INSTALLED,
	FRAMEWORK_CARGO,
};

struct stress_options {
	bool gtest, cmocka, glib, catch2, doctest, boost, check, cargo;
	const char *ctest, *meson, *automake, *installed; /* directories */
	enum stress_framework framework;
	const char *config;        /* the configuration to use in a build directory with several; NULL: none */
	struct option_list filter, label;
	uint64_t time_ns;          /* 0: no limit */
	uint64_t native_ns;        /* time limit of a run without simul */
	bool native_given;         /* given by the user: overrides the limits that a framework sets */
	uint32_t jobs;
	const char *search, *night; /* the database that several machines share, and a name for this night; NULL: none */
	const char *state, *output, *junit, *sarif, *json;
	bool keep_going, quiet, require_complete, list;
};

struct stress {
	struct stress_options opt;
	struct stress_tests tests;
	char **passed;             /* options for `simul run`, NULL-terminated; owned */
	char *self;                /* path of simul itself */
	char *state, *output;      /* absolute; state NULL: nothing is saved */
	bool passing;              /* there is no --state: the directory is of this run alone, and is removed at the end */
	struct child_processes before;       /* child processes that are not ours */
	int lock;                  /* of the state directory; -1: none */
	uint64_t start_ns, end_ns; /* wall_clock_ns(); end_ns 0: no limit */
	unsigned round;            /* of searching */
	unsigned capacity;         /* number of processors that search, on all machines */
	struct night *night;       /* shared with other machines; NULL: not */
	bool night_joined;
	int64_t started_at;        /* time() */
	uint64_t shown_ns;         /* time of the last progress line */
	bool live;                 /* progress is a live line on a terminal */
	bool record_failed;        /* the message that the state cannot be written was printed */
};

/* Returns the time left: 0 when it is used up, UINT64_MAX without --time. */
uint64_t stress_left_ns(const struct stress *s);

#endif
