/* What all --json results share. */
#ifndef SIMUL_JSON_OUT_H
#define SIMUL_JSON_OUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "recorder/json_phrases.h"

/* Can --json PATH be written ("-": standard output; NULL: not wanted)? false: one message was printed. */
bool json_check(const char *path);
/* Writes `o` there and drops it. false: one message was printed. */
bool json_put(json_t *o, const char *path);

/* The same for a result that another option asks for, "sarif". */
bool output_check(const char *option, const char *path);
bool output_put(json_t *o, const char *option, const char *path);

#endif
