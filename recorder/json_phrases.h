/*
 * Words of a recording as JSON: what `simul show --json` and --html have in common.
 */
#ifndef SIMUL_JSON_PHRASES_H
#define SIMUL_JSON_PHRASES_H

#include <jansson.h>
#include <stdint.h>

#include "recorder/recording.h"

/* A string. JSON strings are UTF-8: where that does not hold other bytes than ASCII become U+FFFD. NULL becomes null. */
json_t *json_text(const char *s);
json_t *json_number(uint64_t v);
/* "0x1f" */
json_t *json_hex(uint64_t v);
/* An array of the strings of a NULL-terminated list. */
json_t *json_strings(char **list);
/* An array of frames, innermost first, with everything that is known of them. */
json_t *json_stack(const struct rec_stack *stack);

#endif
