/*
 * Files as resources (resources.h): what a path and a descriptor stand for.
 *
 * A path is resolved as the kernel does it, except that all its steps count as one. Its directories are read, so renaming one of them
 * conflicts. The name of an entry is the path of its directory, without links, and its own name. A file is known by its device, inode
 * number and time of birth; its name is the path by which this execution saw it first. So two names of one file are one file.
 * A file that is made without an entry in a directory (tmpfile, O_TMPFILE, memfd_create) is the n-th one of its thread:
 * this is the same in every run, and the inode number is not.
 *
 * Files in /proc, /sys and /dev, except for /dev/shm, are left out, and so is what is written to the descriptors 0, 1 and 2 that the program
 * started with: no thread reads it.
 */
#ifndef SIMUL_RESOURCE_FILES_H
#define SIMUL_RESOURCE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/kernel/resources.h"

/* How a call uses what its path stands for. The directories above are read. */
struct path_use {
	enum resource_use entry, contents, attributes; /* the entry; the file behind it */
	enum resource_use directory; /* the set of names in the directory that has the entry */
	bool creates;                /* an entry that does not exist is made */
	bool follow;                 /* if the entry is a symbolic link, the file at its end */
};

/* Adds what a call uses of `path`, relative to the directory dir. */
void resource_path(struct resources *r, int dir, const char *path, const struct path_use *how);

/* How a call uses the file behind a descriptor. */
struct file_use {
	enum resource_use contents, attributes, position;
	bool length; /* of the contents, only the length; or the call changes the length, which counts as a change of mapped memory (mapped_files.h) */
};

/* Adds what a call uses of the file of fd, if it is a regular file or a directory. */
void resource_file(struct resources *r, int fd, const struct file_use *how);
/* Adds an output that a stream of fd keeps in its buffer: it adds to the contents of the file and moves the position.
   Costs no system call from the second time on. */
void resource_output(struct resources *r, int fd);
/* fd refers to a newly opened file. made: the call has also made the file, so it is none that was seen before, even if
   it has the inode number of one. */
void resource_opened(int fd, bool made);
/* `to` is a duplicate of `from`. fd was closed. */
void resource_duplicated(int from, int to);
void resource_closed(int fd);
/* The file of `to` takes the place of the file of `from`, and has its name. */
void resource_remade(int from, int to);
/* Returns a name for the open file of fd, the same for all its duplicates. */
uint32_t resource_open_file(int fd);

#endif
