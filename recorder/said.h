/* Finds the failure message in a program's output. */
#ifndef SIMUL_SAID_H
#define SIMUL_SAID_H

#include <stdbool.h>
#include <stddef.h>

#define SAID_LINE 1000
#define SAID_PLACE 120

struct said {
	char line[SAID_LINE];   /* the line, without colours, cut at SAID_LINE - 1 bytes */
	char place[SAID_PLACE]; /* the place in it: "queue_test.cc:41" */
	char path[SAID_LINE];   /* the file, as the program printed it: "../src/queue_test.cc" */
	int number;             /* and the line number */
	bool panic;             /* it is a panic of Rust: `line` says which thread panicked where, and the message, whose lines are joined */
};

/*
 * Finds the first line of a program's output that names a source line and reports a failure there, as assertions of GoogleTest,
 * Catch2, doctest, Boost.Test, CMocka, Check, GLib and most hand-written ones do, or as a panic of Rust. Lines with "fail", "assert" or "panicked" take precedence
 * over those with "error" or "unexpected". Returns false if there is none. output may be NULL.
 */
bool said_find(const char *output, struct said *out);

#endif
