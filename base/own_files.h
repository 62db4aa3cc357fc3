/*
 * Which files of a program a certificate can order: pipes, eventfds, stream socket pairs and stream sockets of the Unix
 * domain that the program itself has made, and that no other process has; and the names of semaphores. A descriptor
 * object (OBJ_FD) has an address that says whether its file is one of these.
 */
#ifndef SIMUL_OWN_FILES_H
#define SIMUL_OWN_FILES_H

#include <stdbool.h>
#include <stdint.h>

#define OWN_FILE_BIT 56 /* addresses in memory have zeros from here on */

enum own_file {
	OWN_FILE_NONE = 0, /* no certificate can order it */
	OWN_FILE_PIPE,
	OWN_FILE_EVENTFD,
	OWN_FILE_PAIR, /* both ends of a stream socketpair */
	OWN_FILE_NAMES, /* not a file: the names of semaphores (number 0) */
	OWN_FILE_SOCKETS, /* all sockets outside of socket pairs: listening ones and both ends of each connection */
	OWN_FILE_ALL, /* all of them: for polls of more files than an event has objects */
};

/* Returns the address of the object for the file with this number, which is less than 2^OWN_FILE_BIT. */
static inline uint64_t own_file_address(enum own_file kind, uint64_t number)
{
	return (uint64_t)kind << OWN_FILE_BIT | number;
}

/* Returns the kind of a file by the address of its object. */
static inline enum own_file own_file_of(uint64_t address)
{
	return (enum own_file)(address >> OWN_FILE_BIT);
}

/* Returns whether the address of a descriptor object is that of the object for all files. */
static inline bool own_file_is_all(uint64_t address)
{
	return own_file_of(address) == OWN_FILE_ALL;
}

#endif
