/* The version of a libsimul.so. */
#ifndef SIMUL_LIBRARY_VERSION_H
#define SIMUL_LIBRARY_VERSION_H

#include <stdint.h>

/* Returns the version of the session for which the library was built (base/session_note.h); 0: the file does not
   say so, as it is older, or it cannot be read. */
uint32_t library_version(const char *path);

#endif
