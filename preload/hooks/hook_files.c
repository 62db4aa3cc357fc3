/*
 * Calls that change the file system by path. They are no events. The hooks record the state before the change, so that every execution
 * starts from the same files (file_effects.h). The open family is in hook_fd_open.c.
 */
#include "preload/base/real.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/control/ctl.h"
#include "preload/hooks/with_effect.h"
#include "preload/hooks/random.h"
#include "preload/kernel/descriptors.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/file_identity.h"
#include "preload/life/worker.h"
#include "preload/base/sys.h"

/* rules.h forbids the name, but this file has to define the function. */
#define HOOK_FOPEN fopen
#include "preload/base/rules.h"

/* ---- streams ---- */

/* Gives the stream of a new descriptor the number that the program gets. */
static FILE *numbered(FILE *f, int (*number)(int fd))
{
	if (f && ctl_enter_unnoticed()) {
		fd_forget(fileno(f));
		f->_fileno = number(fileno(f));
		ctl_leave();
	}
	return f;
}

static FILE *opened(const struct effect *e, FILE *f)
{
	return numbered(effect_made(e, f), descriptor_opened);
}

FILE *tmpfile(void)
{
	return numbered(real_tmpfile(), descriptor_made);
}

FILE *tmpfile64(void)
{
	return numbered(real_tmpfile64(), descriptor_made);
}

FILE *HOOK_FOPEN(const char *restrict path, const char *restrict mode)
{
	struct effect e = effect_fopen(path, mode);

	return opened(&e, real_fopen(path, mode));
}

FILE *fopen64(const char *restrict path, const char *restrict mode)
{
	struct effect e = effect_fopen(path, mode);

	return opened(&e, real_fopen64(path, mode));
}

FILE *_IO_fopen(const char *path, const char *mode)
{
	struct effect e = effect_fopen(path, mode);

	return opened(&e, real_fopen64(path, mode));
}

FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict f)
{
	struct effect e = effect_fopen(path, mode);

	return opened(&e, real_freopen(path, mode, f));
}

FILE *freopen64(const char *restrict path, const char *restrict mode, FILE *restrict f)
{
	struct effect e = effect_fopen(path, mode);

	return opened(&e, real_freopen64(path, mode, f));
}

/* ---- calls that create ---- */

int mkdir(const char *path, mode_t mode)
{
	RETURN_WITH_EFFECT(effect_on(AT_FDCWD, path, EFFECT_NEW), real_mkdir(path, mode));
}

int mkdirat(int dir, const char *path, mode_t mode)
{
	RETURN_WITH_EFFECT(effect_on(dir, path, EFFECT_NEW), real_mkdirat(dir, path, mode));
}

int mkfifo(const char *path, mode_t mode)
{
	RETURN_WITH_EFFECT(effect_on(AT_FDCWD, path, EFFECT_NEW), real_mkfifo(path, mode));
}

int mkfifoat(int dir, const char *path, mode_t mode)
{
	RETURN_WITH_EFFECT(effect_on(dir, path, EFFECT_NEW), real_mkfifoat(dir, path, mode));
}

int mknod(const char *path, mode_t mode, dev_t dev)
{
	RETURN_WITH_EFFECT(effect_on(AT_FDCWD, path, EFFECT_NEW), real_mknod(path, mode, dev));
}

int mknodat(int dir, const char *path, mode_t mode, dev_t dev)
{
	RETURN_WITH_EFFECT(effect_on(dir, path, EFFECT_NEW), real_mknodat(dir, path, mode, dev));
}

int __xmknod(int version, const char *path, mode_t mode, dev_t *dev)
{
	RETURN_WITH_EFFECT(effect_on(AT_FDCWD, path, EFFECT_NEW), real___xmknod(version, path, mode, dev));
}

int __xmknodat(int version, int dir, const char *path, mode_t mode, dev_t *dev)
{
	RETURN_WITH_EFFECT(effect_on(dir, path, EFFECT_NEW), real___xmknodat(version, dir, path, mode, dev));
}

int symlink(const char *to, const char *path)
{
	RETURN_WITH_EFFECT(effect_on(AT_FDCWD, path, EFFECT_NEW), real_symlink(to, path));
}

int symlinkat(const char *to, int dir, const char *path)
{
	RETURN_WITH_EFFECT(effect_on(dir, path, EFFECT_NEW), real_symlinkat(to, dir, path));
}

int link(const char *from, const char *to)
{
	RETURN_WITH_EFFECT(effect_link(AT_FDCWD, to), real_link(from, to));
}

int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
	RETURN_WITH_EFFECT(effect_link(to_dir, to), real_linkat(from_dir, from, to_dir, to, flags));
}

/* ---- calls that remove ---- */

int unlink(const char *path)
{
	RETURN_WITH_EFFECT(effect_on(AT_FDCWD, path, 0), real_unlink(path));
}

int unlinkat(int dir, const char *path, int flags)
{
	RETURN_WITH_EFFECT(effect_on(dir, path, 0), real_unlinkat(dir, path, flags));
}

int rmdir(const char *path)
{
	RETURN_WITH_EFFECT(effect_on(AT_FDCWD, path, 0), real_rmdir(path));
}

int remove(const char *path)
{
	RETURN_WITH_EFFECT(effect_on(AT_FDCWD, path, 0), real_remove(path));
}

/* ---- calls that change ---- */

int rename(const char *from, const char *to)
{
	RETURN_WITH_EFFECT(effect_rename(AT_FDCWD, from, AT_FDCWD, to, 0), real_rename(from, to));
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	RETURN_WITH_EFFECT(effect_rename(from_dir, from, to_dir, to, 0), real_renameat(from_dir, from, to_dir, to));
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
	RETURN_WITH_EFFECT(effect_rename(from_dir, from, to_dir, to, flags),
		real_renameat2(from_dir, from, to_dir, to, flags));
}

int truncate(const char *path, off_t length)
{
	RETURN_WITH_EFFECT(effect_on(AT_FDCWD, path, EFFECT_FOLLOW), real_truncate(path, length));
}

int truncate64(const char *path, __off64_t length)
{
	RETURN_WITH_EFFECT(effect_on(AT_FDCWD, path, EFFECT_FOLLOW), real_truncate64(path, length));
}

/* ---- temporary files: with names from random.h, so that they are the same in all executions ---- */

#define TEMP_TRIES 10000
#define TEMP_LETTERS 6

/* Returns the start of the "XXXXXX" that stands before a suffix of this length. NULL: the template has none there. */
static char *place_of(char *template, int suffix)
{
	size_t n = strlen(template);

	if (suffix < 0 || n < TEMP_LETTERS + (size_t)suffix)
		return NULL;
	char *at = template + n - TEMP_LETTERS - suffix;

	return memcmp(at, "XXXXXX", TEMP_LETTERS) ? NULL : at;
}

static void random_name(char *at)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	unsigned char byte[TEMP_LETTERS];

	random_fill(byte, sizeof(byte));
	for (int i = 0; i < TEMP_LETTERS; i++)
		at[i] = letters[byte[i] % (sizeof(letters) - 1)];
}

/* Makes the file, or a directory when flags is -1. Returns the descriptor or 0; -1 with errno on failure. Call it under control, before
   ctl_enter: it calls the hooks of open and mkdir. */
static int make_temp(char *template, int suffix, int flags)
{
	char *at = place_of(template, suffix);
	int err = errno, r;

	if (!at) {
		errno = EINVAL;
		return -1;
	}
	for (int i = 0; i < TEMP_TRIES; i++) {
		ctl_force_enter();
		random_name(at);
		ctl_leave();
		r = flags == -1 ? mkdir(template, 0700)
				: open(template, (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, 0600);
		if (r >= 0)
			errno = err;
		if (r >= 0 || errno != EEXIST)
			return r;
	}
	return -1;
}

static bool in_control(void)
{
	if (!ctl_enter())
		return false;
	ctl_leave();
	return true;
}

#define MKSTEMP(name, params, args, suffix, flags)                                                 \
	int name params                                                                            \
	{                                                                                          \
		return in_control() ? make_temp(template, suffix, flags) : real_##name args;       \
	}

MKSTEMP(mkstemp, (char *template), (template), 0, 0)
MKSTEMP(mkstemp64, (char *template), (template), 0, 0)
MKSTEMP(mkostemp, (char *template, int flags), (template, flags), 0, flags)
MKSTEMP(mkostemp64, (char *template, int flags), (template, flags), 0, flags)
MKSTEMP(mkstemps, (char *template, int suffix), (template, suffix), suffix, 0)
MKSTEMP(mkstemps64, (char *template, int suffix), (template, suffix), suffix, 0)
MKSTEMP(mkostemps, (char *template, int suffix, int flags), (template, suffix, flags), suffix, flags)
MKSTEMP(mkostemps64, (char *template, int suffix, int flags), (template, suffix, flags), suffix, flags)

char *mkdtemp(char *template)
{
	if (!in_control())
		return real_mkdtemp(template);
	return make_temp(template, 0, -1) < 0 ? NULL : template;
}

/* ---- names of temporary files ---- */

/* Replaces the last letters of a name that libc has made from the clock. Returns `path`. */
static char *with_lasting_letters(char *path)
{
	struct file_identity id;

	if (!path || !*path || !ctl_enter())
		return path;
	do {
		random_name(path + strlen(path) - TEMP_LETTERS);
	} while (file_identify(AT_FDCWD, path, false, &id));
	ctl_leave();
	return path;
}

char *mktemp(char *template)
{
	return with_lasting_letters(real_mktemp(template));
}

char *tempnam(const char *dir, const char *prefix)
{
	return with_lasting_letters(real_tempnam(dir, prefix));
}

char *tmpnam(char s[L_tmpnam])
{
	return with_lasting_letters(real_tmpnam(s));
}

char *tmpnam_r(char s[L_tmpnam])
{
	return with_lasting_letters(real_tmpnam_r(s));
}
