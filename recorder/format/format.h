/*
 * Declarations shared by the writer and the reader of the `.simul` text format. docs/format.md is the
 * specification. Any change of it needs a new RECORDING_VERSION.
 */
#ifndef SIMUL_FORMAT_H
#define SIMUL_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/scan.h"
#include "recorder/recording.h"

#define FORMAT_MAGIC "simul recording "
#define FORMAT_MAX_FRAMES 1024            /* in one stack */
#define FORMAT_MAX_PATH 8192              /* bytes of a thread's spawn path, including the terminator */
#define FORMAT_MAX_BYTES (512u << 20)     /* in one file */
#define FORMAT_MAX_COPIED (20u * 1000000) /* frames of all steps together, in memory */

/* FNV-1a, 64 bits. The `end` line holds this checksum of everything before it. A change of any one byte changes it. */
uint64_t format_checksum(const char *data, size_t size);

/* Returns whether everything is in range, so that it can be written and used. If not, *why names the first problem. */
bool recording_valid(const struct recording *r, const char **why);

/* Writes text between quotes, escaped so that it is one printable word; NULL as `-`. */
void format_put_string(FILE *out, const char *text);

/* ---- reading ---- */

/* Read a line of the section [memory] after its key, and add it to *m. */
bool format_read_page(struct scan *s, struct rec_memory *m);
bool format_read_late(struct scan *s, struct rec_memory *m);
bool format_read_spin(struct scan *s, struct rec_memory *m);
/* WHAT of a spin line for await_node.what, and back (false: it is none). Its numbers of event kinds belong to the format; those of enum
   event_kind do not. */
uint32_t format_spin_number(uint32_t what);
bool format_spin_parse(uint32_t number, uint32_t *what);
bool format_read_round(struct scan *s, struct rec_memory *m);

/* Read a line of the section [values] after its key, into the steps (which have been read), or add it to the pointers. */
bool format_read_value(struct scan *s, struct recording *r);
bool format_read_pointer(struct scan *s, struct recording *r);
/* Like format_read_value, for types of objects. *last becomes the object of a `type` line; a `word` line belongs to the last field of that
   object. */
bool format_read_type(struct scan *s, struct recording *r, object_id *last);
bool format_read_word(struct scan *s, struct recording *r, object_id last);

/*
 * Reads the sections of a file of this version from text[0 .. size), whose first line is line `first_line` of the file. On failure
 * returns NULL and sets *line and problem. format_file.c checks the first line and the checksum.
 */
struct recording *format_read_body(const char *text, size_t size, unsigned version, unsigned first_line,
	unsigned *line, char *problem, size_t problem_size);

#endif
