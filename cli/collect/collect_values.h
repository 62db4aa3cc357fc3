/* The values that the steps of a recording read and wrote. */
#ifndef SIMUL_COLLECT_VALUES_H
#define SIMUL_COLLECT_VALUES_H

#include "cli/segment/segment.h"
#include "recorder/recording.h"
#include "recorder/symbols/symbols.h"

/* Copies the values from the segment into the steps of its execution. */
void values_collect(struct recording *r, const struct segment *seg);

/* Drops the names for values (such as enumerators) of object types whose value does not occur. */
void values_keep_words(struct recording *r);

/* Gives names to the values that are addresses. */
void values_name_pointers(struct recording *r, struct symbols *s);

#endif
