/*
 * Reads the words of a text line by line: recordings (recorder/format/) and certificates (enforce/certificate_read.c). The
 * cursor never leaves the text, which may have zero bytes.
 *
 * Words are separated by spaces. Lines that are empty, or begin with `#`, are skipped. After the first problem, the results
 * have no meaning, but further calls are harmless.
 */
#ifndef SIMUL_SCAN_H
#define SIMUL_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Begin with `at` and `line_end` at the start of the text. */
struct scan {
	const char *at, *end; /* rest of the text; `end` is one past its last byte */
	const char *line_end; /* end of the current line */
	unsigned line;        /* its number, from 1 */
	bool raw;             /* a certificate: words may have quotes; the only escape in strings is \xHH, and control
				 characters stand for themselves */
	bool bad;             /* there was a problem */
	char problem[160];    /* the first problem, "" when none */
};

/* Moves to the next line that is neither empty nor a comment. Returns false at the end of the text. */
bool scan_line(struct scan *s);

/* Records a problem with the current line, unless there is one already. Always returns false. */
__attribute__((format(printf, 2, 3))) bool scan_fail(struct scan *s, const char *fmt, ...);

/* Skips spaces. */
static inline void scan_blanks(struct scan *s)
{
	while (s->at < s->line_end && *s->at == ' ')
		s->at++;
}

/* Returns whether nothing but spaces is left of the line. */
bool scan_end(struct scan *s);

/* Returns whether the line has more text before its end or a comment. */
bool scan_more(struct scan *s);

/* Requires that nothing follows on the line except a comment after `;`. */
bool scan_done(struct scan *s);

/* Reads the next word, of at most size - 1 bytes, without quotes unless `raw`. Returns false, and records a problem,
   when there is none. */
bool scan_word(struct scan *s, char *buf, size_t size);

/* Takes these bytes if they are next, even within a word. Returns whether they are; if not, this is no problem. */
static inline bool scan_mark(struct scan *s, const char *mark)
{
	size_t n = strlen(mark);

	if ((size_t)(s->line_end - s->at) < n || memcmp(s->at, mark, n))
		return false;
	s->at += n;
	return true;
}

/* Takes the next word if it equals `word`. Returns whether it does; if not, this is no problem. */
static inline bool scan_take(struct scan *s, const char *word)
{
	size_t n = strlen(word);

	scan_blanks(s);
	if ((size_t)(s->line_end - s->at) < n || memcmp(s->at, word, n) || (s->at + n < s->line_end && s->at[n] != ' '))
		return false;
	s->at += n;
	return true;
}

/* Reads a number of at most `most`, in lower-case digits, which starts at the cursor and may end within a word. Returns
   0, and records a problem, if there is none. */
uint64_t scan_digits(struct scan *s, unsigned base, uint64_t most);

/* Reads the next quoted string, with the escapes `\n`, `\t`, `\"`, `\\` and `\xHH`, except \x00. *out is malloc()ed, or
   NULL for `-`. */
bool scan_string(struct scan *s, char **out);

/* Reads the next quoted string without copying it, if it has neither escapes nor control characters. Returns NULL, and
   reads nothing, if it is no such string. *n: its bytes. */
const char *scan_plain(struct scan *s, size_t *n);

/* Like scan_string, but `-` is an error. */
bool scan_text(struct scan *s, char **out);

/* Reads the next number, decimal or hexadecimal after 0x, at most max. */
bool scan_u64(struct scan *s, uint64_t max, uint64_t *out);
bool scan_u32(struct scan *s, uint32_t *out);
bool scan_i32(struct scan *s, int32_t *out);
/* Reads a letter and a number ("o12", "s3"); `-` gives 0. */
bool scan_ref(struct scan *s, char letter, uint64_t *out);
/* Reads a word and converts it with `parse`, which returns a negative number for an unknown word. `what` is for the
   message. */
bool scan_name(struct scan *s, int (*parse)(const char *), const char *what, int *out);

#endif
