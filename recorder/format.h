/*
 * What the writer and the reader of the `.simul` text format share. docs/format.md is the
 * specification; any change of it bumps RECORDING_VERSION.
 */
#ifndef SIMUL_FORMAT_H
#define SIMUL_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "recorder/recording.h"

#define FORMAT_MAGIC "simul recording "
#define FORMAT_MAX_FRAMES 1024            /* of one stack */
#define FORMAT_MAX_PATH 8192              /* bytes of a thread's spawn path, terminator included */
#define FORMAT_MAX_BYTES (512u << 20)     /* of a file */
#define FORMAT_MAX_COPIED (20u * 1000000) /* frames of all steps together, once loaded */

/* FNV-1a, 64 bits: what the `end` line holds of everything before it. Changing any one byte changes it. */
uint64_t format_checksum(const char *data, size_t size);

/* Is everything inside its range, so that it can be written and worked with? false: *why says what is not. */
bool recording_valid(const struct recording *r, const char **why);

/* Writes text between quotes, escaped so that it is one printable word; NULL as `-`. */
void format_put_string(FILE *out, const char *text);

/* ---- reading: a cursor over one line after the other ---- */

struct scan {
	const char *at, *end; /* rest of the text; `end` is one past its last byte */
	const char *line_end; /* end of the current line */
	unsigned line;        /* its number, from 1 */
	char problem[160];    /* the first one, "" when none */
};

/* Moves to the next line that is not empty and not a comment; false at the end of the text. */
bool scan_line(struct scan *s);

/* Notes a problem with the current line (only the first counts); always returns false. */
__attribute__((format(printf, 2, 3))) bool scan_fail(struct scan *s, const char *fmt, ...);

/* The next word (no quotes, at most size - 1 bytes). false, and a problem, when there is none. */
bool scan_word(struct scan *s, char *buf, size_t size);

/* The next quoted string, malloc()ed, or NULL for `-`. */
bool scan_string(struct scan *s, char **out);

/* The same where `-` is not allowed. */
bool scan_text(struct scan *s, char **out);

/* The next number: decimal, or hexadecimal after 0x; at most max. */
bool scan_u64(struct scan *s, uint64_t max, uint64_t *out);
bool scan_u32(struct scan *s, uint32_t *out);
bool scan_i32(struct scan *s, int32_t *out);
/* A letter and a number ("o12", "s3"), or `-` for 0. */
bool scan_ref(struct scan *s, char letter, uint64_t *out);
/* A word that `parse` knows; the value goes to *out. `what` is for the message. */
bool scan_name(struct scan *s, int (*parse)(const char *), const char *what, int *out);

/* Lines of the section [memory], behind their key: added to *m. */
bool format_read_page(struct scan *s, struct rec_memory *m);
bool format_read_spin(struct scan *s, struct rec_memory *m);
/* WHAT of a spin line for await_node.what, and back (false: it is none). Its numbers of event kinds belong to the format; those of enum
   event_kind do not. */
uint32_t format_spin_number(uint32_t what);
bool format_spin_parse(uint32_t number, uint32_t *what);
bool format_read_round(struct scan *s, struct rec_memory *m);

/* Lines of the section [values], behind their key: into the steps, which have been read, and added to the pointers. */
bool format_read_value(struct scan *s, struct recording *r);
bool format_read_pointer(struct scan *s, struct recording *r);
/* The same into objects: *last becomes the one of a `type`; a `word` belongs to that one's last part. */
bool format_read_type(struct scan *s, struct recording *r, object_id *last);
bool format_read_word(struct scan *s, struct recording *r, object_id last);

/* Is there more on the line, before its end or a comment? */
bool scan_more(struct scan *s);

/* Demands that the line is over, but for a comment after `;`. */
bool scan_done(struct scan *s);

/*
 * Reads the sections of a file of this version in text[0 .. size), the first line of which is line `first_line` of the file. NULL: *line and
 * problem say where and what. Neither the first line nor the checksum are looked at (format_file.c does).
 */
struct recording *format_read_body(const char *text, size_t size, unsigned version, unsigned first_line,
	unsigned *line, char *problem, size_t problem_size);

#endif
