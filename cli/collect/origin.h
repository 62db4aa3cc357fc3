/*
 * The authenticity of recordings. A recording names a program to run with arguments, so one made by another person must not be run without
 * the user's consent. Each recording carries a message authentication code over its whole content (HMAC, RFC 2104, with SHA-256), under a
 * key that only this user on this machine has.
 */
#ifndef SIMUL_ORIGIN_H
#define SIMUL_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>

#include "recorder/recording.h"

/*
 * Fills r->origin. Call it last, when *r is otherwise final. Creates the key if there is none. If the key cannot be stored (no home
 * directory, or a read-only one), r->origin stays NULL: such a recording needs --trust.
 */
void origin_sign(struct recording *r);

/* Returns whether this user wrote exactly this recording on this machine. false: `why` gives the reason in a few words. */
bool origin_is_ours(const struct recording *r, char *why, size_t size);

/*
 * Returns a keyed digest of `text`, 16 hexadecimal digits, malloc()ed. The owner of the key can compare two values; nobody else can find
 * the value by guessing. NULL without a key.
 */
char *origin_digest(const char *text);

#endif
