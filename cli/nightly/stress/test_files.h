/* The files of a test that travel with its turn (night.h): its saved search, its last result, its recordings. */
#ifndef SIMUL_STRESS_TEST_FILES_H
#define SIMUL_STRESS_TEST_FILES_H

#include "cli/nightly/machines/engine.h"
#include "cli/nightly/stress/stress.h"

/* Calls `put` for each file, with its name in the database. Stops when it returns false, and returns false. A file that cannot be read or
   is too large is left out, with a note for t. */
bool files_each(struct stress_test *t, bool (*put)(void *arg, const char *name, const void *data, size_t size), void *arg);

/* Writes a file that came from the database. Names that files_each does not use are refused with a note, since anything may be in a database. */
void files_place(struct stress_test *t, const char *name, const void *data, size_t size);

/* Removes the files of t here, except recordings in `former`. */
void files_remove(struct stress_test *t);

#endif
