/*
 * Around each call that changes the file system by path: notes before it what was there (base/journal.h),
 * so that the next execution finds the files as this one did.
 *
 *	struct effect e = effect_on(AT_FDCWD, path, EFFECT_NEW);
 *	return effect_done(&e, real_mkdir(path, mode));
 *
 * Both pass through when not in control or inside simul. Devices, /proc, /sys and /dev (but /dev/shm) are left alone.
 */
#ifndef SIMUL_FILE_EFFECTS_H
#define SIMUL_FILE_EFFECTS_H

#include <stdbool.h>

#include "base/journal.h"

#define EFFECT_NEW 1    /* the call only makes what is not there, else it fails */
#define EFFECT_FOLLOW 2 /* it follows a symbolic link at the end of the path */

struct effect {
	bool noted;
	bool renames;
	struct journal_mark before;
};

/* The call is about to change what `path` (relative to the directory dir) stands for. Keeps errno. */
struct effect effect_on(int dir, const char *path, unsigned flags);
/* The call is about to change the owner, mode, times or extended attributes of that, and nothing else. Without a path (NULL or ""): of the file
   that the descriptor dir stands for. */
struct effect effect_attributes(int dir, const char *path, unsigned flags);
/* An open with these flags (O_*). Costs a test when it can change nothing. */
struct effect effect_open(int dir, const char *path, int flags);
/* fopen and freopen: by their mode. */
struct effect effect_fopen(const char *path, const char *mode);
/* A rename, with the flags of renameat2. */
struct effect effect_rename(int from_dir, const char *from, int to_dir, const char *to, unsigned flags);
/* A second name for a file. */
struct effect effect_link(int dir, const char *path);
/* A named semaphore or shared memory object: the file in /dev/shm, its name begun with `prefix`. */
struct effect effect_shm(const char *prefix, const char *name, unsigned flags);

/* After the call. Keeps errno. */
void effect_after(const struct effect *e, bool failed);

/* The call returned r, negative when it failed. Returns r. */
static inline int effect_done(const struct effect *e, int r)
{
	if (e->noted)
		effect_after(e, r < 0);
	return r;
}

/* The same for a call that returns a pointer. */
static inline void *effect_made(const struct effect *e, void *p)
{
	if (e->noted)
		effect_after(e, !p);
	return p;
}

#endif
