/*
 * The parts of a line of a certificate: for certificate_read.c only. Each function takes one from the front of the rest of the line. When the line does
 * not go on with such a part, `bad` becomes true, and what is returned means nothing.
 */
#ifndef SIMUL_CERTIFICATE_WORDS_H
#define SIMUL_CERTIFICATE_WORDS_H

#include "enforce/certificate.h"

struct reader {
	struct certificate *c; /* what has been read; references are checked against it */
	const char *p, *end; /* the rest of the line */
	unsigned line;
	bool bad;
	size_t n_args;
};

/* Skips spaces. */
void words_skip(struct reader *r);
/* Returns whether nothing but spaces is left. */
bool words_end(struct reader *r);
/* Takes the next word if it is this one. Returns whether it was; another one is not bad. */
bool words_take(struct reader *r, const char *word);
/* Copies the next word to buf, and returns buf. A word that is too long is bad. */
const char *words_next(struct reader *r, char *buf, size_t size);
/* A number of at most `most`, in digits from r->p on. */
uint64_t words_digits(struct reader *r, unsigned base, uint64_t most);
/* A decimal number of at most `most`, after spaces. */
uint64_t words_number(struct reader *r, uint64_t most);
/* "m3": the letter, then a number of at most `most`. */
uint32_t words_ref(struct reader *r, char letter, uint64_t most);
/* A string, which the caller frees; NULL for "-". */
char *words_string(struct reader *r);
/* "m0+0x40/4", "t1-0x40/4" or "heap+0x110000000010/4"; "-" if `may_miss`. */
struct cert_range words_range(struct reader *r, bool may_miss);

#endif
