/*
 * Calls that change the file system by path. Before the call, the old state of the path goes into the journal (base/journal.h), so that the
 * next execution starts with the same files.
 *
 *	struct effect e = effect_on(AT_FDCWD, path, EFFECT_NEW);
 *	return effect_done(&e, real_mkdir(path, mode));
 *
 * Both do nothing when simul is not in control, or inside simul. Paths in /proc, /sys and /dev, except for /dev/shm, are left alone.
 * All functions that come before the call keep errno.
 */
#ifndef SIMUL_FILE_EFFECTS_H
#define SIMUL_FILE_EFFECTS_H

#include <stdbool.h>

#include "base/journal.h"

#define EFFECT_NEW 1    /* the call fails if the path exists */
#define EFFECT_FOLLOW 2 /* it follows a symbolic link at the end of the path */

struct effect {
	bool noted;
	bool renames;
	struct journal_mark before;
};

/* The call will create, change or remove the file `path`, relative to the directory dir. flags: EFFECT_*. */
struct effect effect_on(int dir, const char *path, unsigned flags);
/* The call will only change owner, mode, times or extended attributes of the file. Without a path (NULL or "") it is the file of the
   descriptor dir. */
struct effect effect_attributes(int dir, const char *path, unsigned flags);
/* An open with these flags (O_*). Returns at once if they cannot change a file. */
struct effect effect_open(int dir, const char *path, int flags);
/* fopen and freopen with this mode. */
struct effect effect_fopen(const char *path, const char *mode);
/* A rename, with the flags of renameat2. */
struct effect effect_rename(int from_dir, const char *from, int to_dir, const char *to, unsigned flags);
/* The call will create another hard link, with this path. */
struct effect effect_link(int dir, const char *path);
/* A named semaphore or shared memory object: the file in /dev/shm whose name is `prefix` and `name`. */
struct effect effect_shm(const char *prefix, const char *name, unsigned flags);

/* After the call: completes the journal, or undoes the entry if the call failed. Keeps errno. */
void effect_after(const struct effect *e, bool failed);

/* After a call that returned r, negative if it failed. Returns r. */
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
