/*
 * The parts of a line of a certificate that are not just words; only certificate_read.c uses them. Each function takes
 * one part from the start of the unread rest of the line. If the rest does not start with such a part, the function
 * sets s.bad, and its result has no meaning.
 */
#ifndef SIMUL_CERTIFICATE_WORDS_H
#define SIMUL_CERTIFICATE_WORDS_H

#include "base/scan.h"
#include "enforce/certificate.h"

#define READER_KINDS 16

/* A kind of event, and the word for it; "": none. */
struct known_kind {
	char word[32];
	int kind;
};

struct reader {
	struct certificate *c; /* what was read so far; references are checked against it */
	struct scan s;
	size_t n_args;
	struct known_kind kind[READER_KINDS];
};

/* Takes a decimal number of at most `most` after spaces. */
uint64_t words_number(struct reader *r, uint64_t most);
/* Takes a reference such as "m3": the letter, then a number of at most `most`. */
uint32_t words_ref(struct reader *r, char letter, uint64_t most);
/* Takes a string, which the caller frees. Returns NULL for "-". */
char *words_string(struct reader *r);
/* Takes a string that is a place in the source, which the certificate keeps. Returns NULL for "-". */
const char *words_place(struct reader *r);
/* Takes a range: "m0+0x40/4", "t1-0x40/4" or "heap+0x110000000010/4"; also "-" if `may_miss`. */
struct cert_range words_range(struct reader *r, bool may_miss);

#endif
