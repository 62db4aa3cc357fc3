/*
 * The parts of a line of a certificate; only certificate_read.c uses them. Each function takes one part from the start of the unread rest
 * of the line. If the rest does not start with such a part, the function sets `bad`, and its result has no meaning.
 */
#ifndef SIMUL_CERTIFICATE_WORDS_H
#define SIMUL_CERTIFICATE_WORDS_H

#include "enforce/certificate.h"

#define READER_KINDS 16

/* A kind of event, and the word for it; "": none. */
struct known_kind {
	char word[32];
	int kind;
};

struct reader {
	struct certificate *c; /* what was read so far; references are checked against it */
	const char *p, *end; /* the rest of the line */
	unsigned line;
	bool bad;
	size_t n_args;
	struct known_kind kind[READER_KINDS];
};

/* Skips spaces. */
void words_skip(struct reader *r);
/* Returns whether nothing but spaces is left. */
bool words_end(struct reader *r);
/* Takes the next word if it equals `word`. Returns whether it does; if not, `bad` stays as it is. */
bool words_take(struct reader *r, const char *word);
/* Copies the next word to buf, and returns buf. Sets `bad` if the word is too long. */
const char *words_next(struct reader *r, char *buf, size_t size);
/* Takes a number of at most `most`, in digits, which starts at r->p. */
uint64_t words_digits(struct reader *r, unsigned base, uint64_t most);
/* Takes a decimal number of at most `most` after spaces. */
uint64_t words_number(struct reader *r, uint64_t most);
/* Takes a reference such as "m3": the letter, then a number of at most `most`. */
uint32_t words_ref(struct reader *r, char letter, uint64_t most);
/* Takes a string, which the caller frees. Returns NULL for "-". */
char *words_string(struct reader *r);
/* Takes a range: "m0+0x40/4", "t1-0x40/4" or "heap+0x110000000010/4"; also "-" if `may_miss`. */
struct cert_range words_range(struct reader *r, bool may_miss);

#endif
