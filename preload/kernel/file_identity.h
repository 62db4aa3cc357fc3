/* Which file a path or a descriptor stands for. */
#ifndef SIMUL_FILE_IDENTITY_H
#define SIMUL_FILE_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

/* The first three are the same for all names of a file, and no other file has them. */
struct file_identity {
	uint64_t device, inode;
	uint64_t birth;  /* 0: the file system does not tell, or a container refuses statx */
	uint64_t length;
	uint32_t links;  /* the number of its names in directories */
	uint16_t mode;
};

/* Fills in *id for the file `name` in the directory dir; "": the file of descriptor dir. follow: a symbolic link at the end counts as what it leads
   to. Returns false if there is no such file. Inside simul. */
bool file_identify(int dir, const char *name, bool follow, struct file_identity *id);

/* Returns whether the path (absolute) leads to a file that the kernel makes up: in /proc, /sys or /dev, except for /dev/shm. Legal at any time. */
bool file_is_of_kernel(const char *path);

static inline bool file_is_same(const struct file_identity *a, const struct file_identity *b)
{
	return a->inode == b->inode && a->device == b->device && a->birth == b->birth;
}

#endif
