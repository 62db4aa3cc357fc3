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

/* ---- reading: a cursor over the lines of a text ---- */

struct scan {
	const char *at, *end; /* rest of the text; `end` is one past its last byte */
	const char *line_end; /* end of the current line */
	unsigned line;        /* its number, from 1 */
	char problem[160];    /* the first problem, "" when none */
};

/* Moves to the next line that is neither empty nor a comment. Returns false at the end of the text. */
bool scan_line(struct scan *s);

/* Records a problem with the current line, unless there is one already. Always returns false. */
__attribute__((format(printf, 2, 3))) bool scan_fail(struct scan *s, const char *fmt, ...);

/* Reads the next word (no quotes, at most size - 1 bytes). Returns false, and records a problem, when there is none. */
bool scan_word(struct scan *s, char *buf, size_t size);

/* Reads the next quoted string: *out is malloc()ed, or NULL for `-`. */
bool scan_string(struct scan *s, char **out);

/* Like scan_string, but `-` is an error. */
bool scan_text(struct scan *s, char **out);

/* Reads the next number, decimal or hexadecimal after 0x, at most max. */
bool scan_u64(struct scan *s, uint64_t max, uint64_t *out);
bool scan_u32(struct scan *s, uint32_t *out);
bool scan_i32(struct scan *s, int32_t *out);
/* Reads a letter and a number ("o12", "s3"); `-` gives 0. */
bool scan_ref(struct scan *s, char letter, uint64_t *out);
/* Reads a word and converts it with `parse`, which returns a negative number for an unknown word. `what` is for the message. */
bool scan_name(struct scan *s, int (*parse)(const char *), const char *what, int *out);

/* Read a line of the section [memory] after its key, and add it to *m. */
bool format_read_page(struct scan *s, struct rec_memory *m);
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

/* Returns whether the line has more text before its end or a comment. */
bool scan_more(struct scan *s);

/* Requires that nothing follows on the line except a comment after `;`. */
bool scan_done(struct scan *s);

/*
 * Reads the sections of a file of this version from text[0 .. size), whose first line is line `first_line` of the file. On failure
 * returns NULL and sets *line and problem. format_file.c checks the first line and the checksum.
 */
struct recording *format_read_body(const char *text, size_t size, unsigned version, unsigned first_line,
	unsigned *line, char *problem, size_t problem_size);

#endif
