/* What `simul stress` knows of a test: where it came from, what was found. */
#ifndef SIMUL_STRESS_TEST_H
#define SIMUL_STRESS_TEST_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

enum stress_status {
	STRESS_WAITING,    /* nothing is known: no time was left for it */
	STRESS_COMPLETE,   /* everything was tried (up to --preemptions, if given), no bug */
	STRESS_INCOMPLETE, /* no bug so far */
	STRESS_BUG,        /* a bug, found now or earlier */
	STRESS_NO_THREADS, /* it creates no thread: there is nothing to search */
	STRESS_SKIPPED,    /* the framework or the test itself says that it is not to be run */
	STRESS_NATIVE,     /* it fails without simul */
	STRESS_UNUSABLE,   /* it cannot be started, or simul cannot run it */
	STRESS_FAULT,      /* a fault of simul */
};
#define STRESS_STATUSES (STRESS_FAULT + 1)

struct stress_bug {
	char *kind, *title, *message; /* "assert"; "assert at q.c:41 in T0.1"; what the program or simul says */
	char *recording;   /* absolute; NULL: there is none */
	char *file;        /* of the source line to point at; NULL: unknown */
	int line;
	char *report;      /* interleaving and diagnosis; NULL: unknown */
	json_t *flow;      /* the steps with their places, see bugs.c; NULL: unknown */
	uint64_t signature;
	bool confirmed;
	bool earlier;      /* found before this run */
	bool replayed;     /* and it happened again in this one */
};

struct stress_test {
	/* as it was listed; owned */
	char *name;        /* what the user calls it */
	char *suite;       /* JUnit's classname: program and suite, or the framework's directory */
	char **argv;       /* NULL-terminated */
	char **env;        /* "NAME=value" that are set for it, NULL-terminated; NULL: none */
	char *cwd;         /* NULL: ours */
	char *file;        /* where it stands in the source; NULL: unknown */
	int line;
	int skip_code;     /* exit status by which it says that it skips itself; 0: none */
	char **skip_output, **fail_output; /* regular expressions: what it prints when it skips itself, or fails; NULL-terminated; NULL: none */
	bool tap;          /* its standard output is TAP, which says whether it passes, beside its exit status */
	bool stands_for_all; /* of a program that could not be listed; see list_failed */
	bool serial;       /* nothing else may run beside it */
	uint64_t limit_ns; /* that it gets by itself; 0: what --native-timeout says */
	char **labels;     /* NULL-terminated lists; NULL: none */
	char **needs;      /* files that must be there */
	char **after;      /* names of tests that run before it */
	char **setup, **cleanup, **required; /* names of fixtures */

	/* where it is kept, absolute; state NULL: not at all */
	char *recordings, *search, *record;
	char *path;        /* of the program; NULL: not found */
	char *build_id;    /* "" for a script */
	struct stat file_was; /* when it was listed */

	/* what came of it */
	enum stress_status status;
	char *why;         /* in words; NULL: nothing to say */
	char *note;        /* something that happened on the way; NULL: nothing */
	char *output;      /* what it printed when it failed natively; NULL: nothing */
	json_t *run;       /* the last result of `simul run --json`; NULL: none */
	bool over;         /* the search is over */
	bool unchanged;    /* it was over before this run, and nothing has changed since */
	bool diverged;     /* a recording of this build does not replay any more */
	bool native_done, settled; /* settled: nothing more is run for it this time */
	unsigned failed;   /* that many times it failed by itself */
	char *failure;     /* how it did the first time; NULL: it did not */
	bool clears;       /* it is to be run at the end */
	bool passed;       /* it was run by itself, and it passed, or skipped itself */
	size_t n_bugs;
	struct stress_bug *bug;
	size_t replayed;   /* that many of the bugs were looked at again */
	unsigned begun_anew; /* how many times in this run */
	unsigned slices;   /* of its search, in this run */
	char **command;    /* of simul, which is running or was run last; NULL-terminated; NULL: none */
	uint64_t spent_ns; /* on it in this run */
};

/* Several, in the order of the command line and the listing. */
struct stress_tests {
	size_t n;
	struct stress_test *test;
};

/* Appends an empty test. The pointer is valid until the next one is added. */
struct stress_test *stress_tests_add(struct stress_tests *tests, const char *suite, const char *name);
void stress_tests_remove(struct stress_tests *tests, size_t k);
void stress_tests_free(struct stress_tests *tests);

/* Nothing more is to be done for t: it is `status`, and `why` says more (taken over; may be NULL). */
void stress_settle(struct stress_test *t, enum stress_status status, char *why);
/* Appends a sentence to t->note. */
void stress_note(struct stress_test *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* It is run for what it does, before or after all others, and not searched. */
bool stress_is_fixture(const struct stress_test *t);

/* "bug", "complete", ... as in --json */
const char *stress_status_text(enum stress_status status);

#endif
