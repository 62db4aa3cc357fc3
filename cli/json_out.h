/* What all --json results share. */
#ifndef SIMUL_JSON_OUT_H
#define SIMUL_JSON_OUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* A string, or null for NULL. Program output and paths need not be UTF-8; JSON has to: what is not is '?'. */
json_t *json_text(const char *s);
json_t *json_number(uint64_t n);

/* Can --json PATH be written ("-": standard output; NULL: not wanted)? false: one message was printed. */
bool json_check(const char *path);
/* Writes `o` there and drops it. false: one message was printed. */
bool json_put(json_t *o, const char *path);

#endif
