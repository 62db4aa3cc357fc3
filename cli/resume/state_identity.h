/*
 * The identity of a saved search: simul, the program, its libraries, arguments, input, environment, and the options that change the search.
 * A search continues only if all of these are equal. The environment and the stack limit are restored, as for a replay.
 *
 * Stored as text: pairs of a name and a value, each with its terminator.
 */
#ifndef SIMUL_STATE_IDENTITY_H
#define SIMUL_STATE_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/target/target.h"

struct search;

struct identity {
	char *text;
	size_t size;
};

/* Makes the identity of this search. `maps` names the loaded libraries; NULL: not known yet, so they are left out. */
void identity_make(struct identity *id, const struct search *search, const char *maps);
void identity_free(struct identity *id);
/* Returns how many bytes of the text say what must be equal. The rest, environment and stack limit, is restored. */
size_t identity_fixed(const struct identity *id);

/* Returns the value with this name, of a text that may be damaged; NULL: it has none. */
const char *identity_value(const char *text, size_t size, const char *name);

/* Returns whether `now` (made without maps) equals the saved text, and the libraries are the saved ones. false: `why` names the difference,
   as text after "--resume DIR: ". */
bool identity_same(const struct identity *now, const char *text, size_t size, char *why, size_t why_size);

/* Returns whether the files of simul, the program and its libraries are unchanged since this text was made, so whether the search could
   continue. Runs nothing. false: `why` names the difference. */
bool identity_same_files(const struct target *t, const char *text, size_t size, char *why, size_t why_size);

/*
 * Gives the target the environment and the stack limit saved in the text. *note (size bytes) names a variable whose current value differs
 * and is not used; "" if there is none. The memory is valid until identity_restore_free. false: impossible; `why` gives the reason.
 */
struct restored {
	char **env, **spare;
};
bool identity_restore(struct restored *r, struct target *t, const char *text, size_t size, char *note, size_t note_size, char *why,
	size_t why_size);
void identity_restore_free(struct restored *r);

#endif
