/*
 * The files of descriptors that a certificate can order (base/own_files.h). The kernel's number of such a file
 * identifies it: it stays the same for duplicates of a descriptor, and a descriptor that is closed and used again
 * refers to another file. So there is no table of descriptors that threads, signal handlers and forks would have to
 * keep correct. (The kernel gives the number of an eventfd again after that was closed. Then both are taken for the
 * same, and an event may wait for more events than it must.)
 */
#ifndef SIMUL_ENFORCE_OWN_FILES_H
#define SIMUL_ENFORCE_OWN_FILES_H

#include "base/own_files.h"
#include "enforce/lib/gate.h"

/* Notes the pipes that the program has got from others, if the certificate orders files. Call it before the program's own
   code runs. */
void own_files_init(void);

/* Sets *use to the file of fd. Returns OWN_FILE_NONE if no certificate orders operations on it, or if the whole prefix
   has been performed. Keeps errno. */
enum own_file own_files_use(int fd, struct use *use);

/* The program has made a stream socket pair. */
void own_files_pair(const int fd[2]);

/* Call it when an event of the prefix has connected the socket, or made it by accept. It is a divergence if another
   process has the other end. Keeps errno. */
void own_files_connected(int fd);

/* Returns whether the file is a stream socket, so that send works on it. */
static inline bool own_files_is_socket(enum own_file file)
{
	return file == OWN_FILE_PAIR || file == OWN_FILE_SOCKETS;
}

#endif
