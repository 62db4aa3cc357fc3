/* Shared by all --json results. */
#ifndef SIMUL_JSON_OUT_H
#define SIMUL_JSON_OUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "recorder/json/json_phrases.h"

/* Checks that --json PATH can be written ("-": standard output; NULL: not given). false: one message was printed. */
bool json_check(const char *path);
/* Writes `o` there and releases it. false: one message was printed. */
bool json_put(json_t *o, const char *path);

/* Like json_check and json_put, for the result of another option, such as "sarif". */
bool output_check(const char *option, const char *path);
bool output_put(json_t *o, const char *option, const char *path);

#endif
