/* A test of `simul stress`: its origin and its results. */
#ifndef SIMUL_STRESS_TEST_H
#define SIMUL_STRESS_TEST_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

enum stress_status {
	STRESS_WAITING,    /* no result: no time was left for it */
	STRESS_COMPLETE,   /* everything was explored (up to --preemptions, if given), no bug */
	STRESS_INCOMPLETE, /* no bug so far */
	STRESS_BUG,        /* a bug, found now or earlier */
	STRESS_NO_THREADS, /* it creates no thread: there is nothing to search */
	STRESS_SKIPPED,    /* the framework or the test itself requests to skip it */
	STRESS_NATIVE,     /* it fails without simul */
	STRESS_UNUSABLE,   /* it cannot be started, or simul cannot run it */
	STRESS_FAULT,      /* an internal error of simul */
};
#define STRESS_STATUSES (STRESS_FAULT + 1)

struct turn;

struct stress_bug {
	char *kind, *title, *message; /* "assert"; "assert at q.c:41 in T0.1"; the message of the program or of simul */
	char *recording;   /* absolute; NULL: none */
	char *file;        /* of the source line to report; NULL: unknown */
	int line;
	char *report;      /* interleaving and diagnosis; NULL: unknown */
	json_t *flow;      /* the steps with their places, see bugs.c; NULL: unknown */
	uint64_t signature;
	bool confirmed;
	bool earlier;      /* found before this run */
	bool replayed;     /* reproduced in this run */
};

/* A test as it was listed, besides its name. Owned. */
struct stress_listed {
	char **argv;       /* NULL-terminated */
	char **env;        /* "NAME=value" to set for it, NULL-terminated; NULL: none */
	char *cwd;         /* NULL: ours */
	char *file;        /* source file that defines it; NULL: unknown */
	int line;
	int skip_code;     /* exit status that means skipped; 0: none */
	char **skip_output, **fail_output; /* regular expressions for output that means skipped, or failed; NULL-terminated; NULL: none */
	bool tap;          /* its standard output is TAP, which decides the result together with the exit status */
	bool stands_for_all; /* represents a program that could not be listed; see list_failed */
	bool serial;       /* no other test may run in parallel */
	uint64_t limit_ns; /* limit of a run without simul; 0: --native-timeout */
	char **labels;     /* NULL-terminated lists; NULL: none */
	char **needs;      /* files that must exist */
	char **after;      /* names of tests that must run before it */
	char **setup, **cleanup, **required; /* names of fixtures */
};

/* Its program, and its saved files. Absolute. */
struct stress_files {
	char *recordings, *search, *record; /* NULL: nothing is saved */
	char *path;        /* of the program; NULL: not found */
	char *build_id;    /* "" for a script */
	struct stat file_was; /* at the time of listing */
};

/* Its runs without simul. */
struct stress_native {
	bool done;
	bool passed;       /* it passed or skipped itself */
	bool cut;          /* the time for all tests ended during the last run */
	uint64_t ns;       /* wall clock time of the last run; 0: there was none in this run of stress */
	unsigned failed;   /* number of failures */
	char *failure;     /* description of the first one; NULL: none */
	char *output;      /* its output when it failed; NULL: none */
};

/* The other machines that run tests of the same list. */
struct stress_sharing {
	bool wide;         /* its search is one that several machines can share (simul run --search) */
	bool narrow;       /* simul run cannot share it */
	bool helps;        /* a copy: this machine helps another one that searches the test; its result does not count */
	bool no_help;      /* this machine cannot help with it */
	struct turn *shared; /* when several machines share the tests and this one has it; else NULL */
};

struct stress_test {
	char *name;        /* name for the user */
	char *suite;       /* JUnit's classname: program and suite, or the framework's directory */
	struct stress_listed listed;
	struct stress_files files;
	struct stress_native native;
	struct stress_sharing sharing;

	/* result */
	enum stress_status status;
	char *why;         /* reason in words; NULL: none */
	char *note;        /* something noteworthy that happened; NULL: nothing */
	json_t *run;       /* the last result of `simul run --json`; NULL: none */
	bool over;         /* the search is finished */
	bool unchanged;    /* it was finished before this run, and nothing has changed since */
	bool diverged;     /* a recording of this build no longer replays */
	bool settled;      /* nothing more is run for it in this run */
	bool clears;       /* it runs at the end, to clean up */
	size_t n_bugs;
	struct stress_bug *bug;
	size_t replayed;   /* number of its bugs that were replayed */
	unsigned restarts; /* restarts of its search in this run */
	unsigned slices;   /* slices of its search in this run */
	char **command;    /* command line of simul, running or last run; NULL-terminated; NULL: none */
	char **arguments;  /* variables that give a replay its masked arguments; NULL: not made */
	unsigned turn;     /* number of slices after which it makes room for other tests */
	uint64_t spent_ns; /* time spent on it in this run */
	bool replay_alone; /* its bugs were found while other tests ran in parallel, and still have to be replayed alone */
	bool replay_known; /* its recordings of earlier runs still have to be replayed in this turn */
};

/* A list of tests, in the order of the command line and the listing. */
struct stress_tests {
	size_t n;
	struct stress_test *test;
};

/* Appends an empty test. The pointer is valid until the next one is added. */
struct stress_test *stress_tests_add(struct stress_tests *tests, const char *suite, const char *name);
void stress_tests_remove(struct stress_tests *tests, size_t k);
void stress_tests_free(struct stress_tests *tests);

/* Settles t: nothing more is run for it. Its status is `status`, for the reason `why` (taken over; may be NULL). But if a bug was found or
   replayed in this run, its status is STRESS_BUG, and `why` becomes a note. */
void stress_settle(struct stress_test *t, enum stress_status status, char *why);
/* Appends a sentence to t->note. */
void stress_note(struct stress_test *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Returns whether it is a fixture: run before or after other tests, and not searched. */
bool stress_is_fixture(const struct stress_test *t);

/* Returns "bug", "complete", ... as in --json. */
const char *stress_status_text(enum stress_status status);

#endif
