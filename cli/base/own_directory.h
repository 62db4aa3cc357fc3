/* A directory for state: a search or a night of tests goes on from what lies there, so nobody else may put anything into it. */
#ifndef SIMUL_OWN_DIRECTORY_H
#define SIMUL_OWN_DIRECTORY_H

#include <stdbool.h>

/*
 * Makes the directory when it is missing, for this user only. false: it cannot be used, or another user owns it or can write to it;
 * one message was printed, which begins with `option` ("--resume").
 */
bool own_directory(const char *option, const char *dir);

/* Opens a file in such a directory that is kept from one run to the next, and makes it when it is missing. A symbolic link or anything
   but a regular file is refused. Returns a descriptor or -1 with errno. */
int own_file(const char *path, int flags);

#endif
