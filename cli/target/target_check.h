/*
 * Checks whether simul can run a file. Separate from target.h because <elf.h> and sched/event.h both define EV_NONE.
 */
#ifndef SIMUL_TARGET_CHECK_H
#define SIMUL_TARGET_CHECK_H

#include <stdbool.h>
#include <stddef.h>

struct target_question {
	const char *path, *shown; /* the file; its name in messages */
	const char *library;      /* libsimul.so, see sanitizer.h */
	char *const *env;         /* environment in which it will run */
	bool plain;               /* the libraries that it loads are not looked at, which takes a run of the dynamic linker */
};
struct target_answer {
	bool script;       /* it starts with #! */
	bool sanitized;    /* a sanitizer's runtime is linked in */
	char *first;       /* library that must be preloaded before libsimul.so, malloc()ed; NULL: none */
	unsigned standins; /* libraries to preload for it; a script gets all of them, since it may start anything */
};

/* Returns whether simul can run it. false: `why` gives the problem and the remedy in one sentence. */
bool target_check(const struct target_question *q, struct target_answer *a, char *why, size_t size);

#endif
