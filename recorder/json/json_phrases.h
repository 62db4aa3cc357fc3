/*
 * Parts of a recording as JSON, shared by `simul show --json` and --html.
 */
#ifndef SIMUL_JSON_PHRASES_H
#define SIMUL_JSON_PHRASES_H

#include <jansson.h>
#include <stdint.h>

#include "recorder/recording.h"

/* Returns a JSON string. Bytes that are not valid UTF-8 become visible escapes (printable.h). NULL becomes null. */
json_t *json_text(const char *s);
json_t *json_number(uint64_t v);
/* Returns a string such as "0x1f". */
json_t *json_hex(uint64_t v);
/* Returns an array of the strings of a NULL-terminated list. */
json_t *json_strings(char **list);
/* The same for arguments of a program, or (`env`) for "NAME=value" entries, with secrets masked. */
json_t *json_masked(char **list, bool env);
/* Returns an array of the frames, innermost first, with all their fields. */
json_t *json_stack(const struct rec_stack *stack);

#endif
