/*
 * Calls that change the file system by path. Before the call, the old state of the path goes into the journal (base/journal.h), so that the
 * next execution starts with the same files.
 *
 *	struct effect e = effect_on(AT_FDCWD, path, EFFECT_NEW);
 *	return effect_done(&e, real_mkdir(path, mode));
 *
 * Both functions do nothing when simul is not in control, or inside simul. Paths in /proc, /sys and /dev, except for /dev/shm, are ignored. The
 * effect_ functions for use before the system call keep errno.
 */
#ifndef SIMUL_FILE_EFFECTS_H
#define SIMUL_FILE_EFFECTS_H

#include <stdbool.h>

#include "base/journal.h"

#define EFFECT_NEW 1    /* the call fails if the path exists */
#define EFFECT_FOLLOW 2 /* the call follows a symbolic link at the end of the path */

struct effect {
	bool noted;
	bool renames;
	struct journal_mark before;
};

/* For a call that creates, changes or removes the file `path`, relative to the directory dir. flags: EFFECT_*. */
struct effect effect_on(int dir, const char *path, unsigned flags);
/* For a call that only changes the owner, mode, times or extended attributes of a file. Without a path (NULL or ""), this is the file of
   descriptor dir. */
struct effect effect_attributes(int dir, const char *path, unsigned flags);
/* For an open with these flags (O_*). Does nothing if they cannot change a file. */
struct effect effect_open(int dir, const char *path, int flags);
/* For fopen and freopen with this mode. */
struct effect effect_fopen(const char *path, const char *mode);
/* For a rename, with the flags of renameat2. */
struct effect effect_rename(int from_dir, const char *from, int to_dir, const char *to, unsigned flags);
/* For a call that creates another hard link, with this path. */
struct effect effect_link(int dir, const char *path);
/* For a named semaphore or shared memory object: the file in /dev/shm whose name is `prefix` followed by `name`. */
struct effect effect_shm(const char *prefix, const char *name, unsigned flags);

/* Call it after the system call. Completes the journal, or drops the entry if the system call failed. Keeps errno. */
void effect_after(const struct effect *e, bool failed);

/* Calls effect_after for a call that returned r, which is negative if it failed. Returns r. */
static inline int effect_done(const struct effect *e, int r)
{
	if (e->noted)
		effect_after(e, r < 0);
	return r;
}

/* Like effect_done, for a call that returns a pointer. */
static inline void *effect_made(const struct effect *e, void *p)
{
	if (e->noted)
		effect_after(e, !p);
	return p;
}

#endif
