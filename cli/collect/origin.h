/*
 * Who made a recording. A recording says which program to run with which arguments, so one that came from somebody else
 * must not be followed without the user's consent. Each recording carries a message authentication code over its whole
 * content (HMAC, RFC 2104, with SHA-256), under a key that only this user on this machine has.
 */
#ifndef SIMUL_ORIGIN_H
#define SIMUL_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>

#include "recorder/recording.h"

/*
 * Fills r->origin; call it last, when nothing of *r changes any more. Makes the key when there is none. Without a place for the key
 * (no home directory, a read-only one) r->origin stays NULL: such a recording needs --trust.
 */
void origin_sign(struct recording *r);

/* Returns whether this user wrote exactly this recording on this machine. false: `why` says what is known, in a few words. */
bool origin_is_ours(const struct recording *r, char *why, size_t size);

/*
 * A keyed digest of `text`, 16 hexadecimal digits, malloc()ed: two values can be compared by whoever has the key, and nobody else
 * can find the value by trying. NULL without a key.
 */
char *origin_digest(const char *text);

#endif
