/* A directory for saved state. Searches continue from the files in it, so no other user may write to it. */
#ifndef SIMUL_OWN_DIRECTORY_H
#define SIMUL_OWN_DIRECTORY_H

#include <stdbool.h>

/*
 * Creates the directory for this user only if it is missing. false: it is unusable, belongs to another user, or is writable by others; one
 * message was printed, starting with `option` ("--resume").
 */
bool own_directory(const char *option, const char *dir);

/* Opens a file in a directory that own_directory has checked; creates the file if it is missing. Refuses symbolic links and everything but
   regular files. Returns a descriptor, or -1 with errno. */
int own_file(const char *path, int flags);

#endif
