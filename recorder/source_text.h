#ifndef SIMUL_SOURCE_TEXT_H
#define SIMUL_SOURCE_TEXT_H

#include <jansson.h>

#include "recorder/recording.h"

/* The source lines around the places of a recording, to be shown with it. */
struct sources;

/* `program`, `build_id`: of what was recorded. Source files newer than the program are told to be, and that the program is another one now. */
struct sources *sources_new(const char *program, const char *build_id);

/* The number of the frame's file, from 0; -1 when it names none. The lines around the frame's will be there; only code of the
   user's is shown. */
int sources_add(struct sources *s, const struct rec_frame *f);

/* Reads the files: an array of {"path", "note", "parts"}: note is null, or why there are no lines or what to know of them; parts is an
   array of [number of the first line, [lines...]]. Frees s. */
json_t *sources_json(struct sources *s);

#endif
