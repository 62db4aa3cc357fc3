/*
 * What the state of a search belongs to: simul, the program, its libraries, arguments, input, environment, and the options that
 * change the search. A search goes on only where all of it is the same; the environment and the stack limit are made the same, as for
 * a replay.
 *
 * As text: pairs of a name and a value, each with its terminator.
 */
#ifndef SIMUL_STATE_IDENTITY_H
#define SIMUL_STATE_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/run.h"

struct identity {
	char *text;
	size_t size;
};

/* Of the present run. `maps` names the libraries that were loaded; NULL: not known yet, they are left out. */
void identity_make(struct identity *id, const struct run *run, const char *maps);
void identity_free(struct identity *id);

/* Is `now` (made without maps) the same as what a file says, and are the libraries those of the file? false: `why` says what is
   different, for the user, after "--resume DIR: ". */
bool identity_same(const struct identity *now, const char *text, size_t size, char *why, size_t why_size);

/* Are simul, the program and its libraries, as files, what they were when this text was made? For who wants to know without a run whether
   the search could go on. false: `why` says what is different. */
bool identity_same_files(const struct target *t, const char *text, size_t size, char *why, size_t why_size);

/*
 * Gives run->target the environment and the stack limit that stand in the text. *note (size bytes) names a variable that had another
 * value and is not followed; "" when there is none. The memory is kept until identity_restore_free. false: it cannot be; `why` says so.
 */
struct restored {
	char **env, **spare;
};
bool identity_restore(struct restored *r, struct run *run, const char *text, size_t size, char *note, size_t note_size, char *why,
	size_t why_size);
void identity_restore_free(struct restored *r);

#endif
