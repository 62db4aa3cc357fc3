/* The values that the steps of a recording read and wrote. */
#ifndef SIMUL_COLLECT_VALUES_H
#define SIMUL_COLLECT_VALUES_H

#include "cli/segment/segment.h"
#include "recorder/recording.h"
#include "recorder/symbols.h"

/* Takes them from the segment into the steps, which are those of its execution. */
void values_collect(struct recording *r, const struct segment *seg);

/* Of the words that the types of objects have for values, keeps those for values that occur. */
void values_keep_words(struct recording *r);

/* Gives names to those that are addresses. */
void values_name_pointers(struct recording *r, struct symbols *s);

#endif
