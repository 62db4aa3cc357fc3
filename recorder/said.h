/* What a failing program said of its failure, in what it printed. */
#ifndef SIMUL_SAID_H
#define SIMUL_SAID_H

#include <stdbool.h>
#include <stddef.h>

#define SAID_LINE 200
#define SAID_PLACE 120

struct said {
	char line[SAID_LINE];   /* the line, without colours, cut where it is too long */
	char place[SAID_PLACE]; /* the place in it: "queue_test.cc:41" */
	char path[SAID_LINE];   /* the file, as it stands there: "../src/queue_test.cc" */
	int number;             /* and the line */
};

/*
 * The first line of a program's output that names a source line and says that something failed there, as assertions of GoogleTest,
 * Catch2, doctest, Boost.Test, CMocka, Check, GLib and of most programs' own do. Lines that speak of a failure or an assertion
 * go before those that speak of an error. false: there is none. output may be NULL.
 */
bool said_find(const char *output, struct said *out);

#endif
