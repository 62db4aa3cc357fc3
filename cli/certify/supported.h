/*
 * What the library in enforce/lib can hold back.
 *
 * An event of the prefix must be of a kind that it holds back. An event after the prefix may also be of a kind that needs no holding back,
 * because it touches no object of such a prefix, or of one that waits for the whole prefix (docs/enforcement.md).
 */
#ifndef SIMUL_SUPPORTED_H
#define SIMUL_SUPPORTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/session.h"
#include "recorder/recording.h"

/* Returns whether a search with these kinds of events can be enforced under this memory model, if its prefix can be. false: `why` gives the
   reason. `maps`: /proc/PID/maps of the search, to name places in the source; NULL: they are left out. */
bool supported_kinds(const struct session_sensors *s, unsigned model, const char *program, const char *maps, char *why, size_t size);

/* Returns whether the prefix may have an event of this kind whose first object has this kind and, in the search, this
   address. Of a signal to the process the object is OBJ_PROCESS, though that is its second one. */
bool supported_in_prefix(unsigned kind, unsigned object, uint64_t addr);

/* For a prefix with operations on pipes, eventfds or socket pairs, or on other sockets: if some such operations of the
   search could not be held back, write the reason to `why`. */
void supported_sockets(const struct session_sensors *s, const char *maps, char *why, size_t size);
void supported_files(const struct session_sensors *s, const char *maps, char *why, size_t size);

/* For a prefix that contains the end of the process: if some events could not be held back until then, writes the reason to `why`. */
void supported_whole(const struct session_sensors *s, const char *maps, char *why, size_t size);

/* Describes an event that cannot be enforced, in words that do not need simul's vocabulary. */
const char *supported_words(unsigned kind, unsigned object);

/* Write " at worker.c:31 in work" to buf, or "" if the frame is NULL or the address has no source; return buf. */
char *supported_place(const struct rec_frame *frame, char *buf, size_t size);
char *supported_place_of(const char *maps, uint64_t pc, char *buf, size_t size);

/* If an object of this kind in this file cannot be enforced, writes the reason to `why`. */
void supported_object(unsigned kind, const char *module, char *why, size_t size);

#endif
