/*
 * Can simul run this file? Apart from target.h because <elf.h> and sched/event.h both define EV_NONE.
 */
#ifndef SIMUL_TARGET_CHECK_H
#define SIMUL_TARGET_CHECK_H

#include <stdbool.h>
#include <stddef.h>

struct target_question {
	const char *path, *shown; /* the file; what the user calls it */
	const char *library;      /* libsimul.so, see sanitizer.h */
	char *const *env;         /* in which it will run */
};
struct target_answer {
	bool script;       /* it starts with #! */
	bool sanitized;    /* a sanitizer's runtime is linked in */
	unsigned standins; /* what must be preloaded for it; a script may start anything */
};

/* Is this something that simul can run? false: `why` says in one sentence what is wrong and what to do. */
bool target_check(const struct target_question *q, struct target_answer *a, char *why, size_t size);

#endif
