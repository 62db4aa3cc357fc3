#ifndef SIMUL_SOURCE_TEXT_H
#define SIMUL_SOURCE_TEXT_H

#include <jansson.h>

#include "recorder/recording.h"

/* Collects the source lines around the positions in a recording, for display. */
struct sources;

/* `program` and `build_id` identify the recorded program. The result marks source files that are newer than the program, and a program
   that has been rebuilt. */
struct sources *sources_new(const char *program, const char *build_id);

/* Returns the number of the frame's file, from 0, or -1 when it names none or is not the user's code. The lines around the frame's line
   will be included. */
int sources_add(struct sources *s, const struct rec_frame *f);

/* Reads the files. Returns an array of {"path", "note", "parts"}. "note" is null, or a warning, or the reason why there are no lines.
   "parts" is an array of [number of the first line, [lines...]]. Frees s. */
json_t *sources_json(struct sources *s);

#endif
