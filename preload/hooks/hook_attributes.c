/*
 * Calls that change a file's owner, mode, times or extended attributes. They are no events. The hooks first record the old values, so that
 * every execution starts from the same files (file_effects.h).
 */
#include "preload/base/real.h"

#include <sys/stat.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include "preload/hooks/with_effect.h"
#include "preload/base/rules.h"

static unsigned following(int flags)
{
	return flags & AT_SYMLINK_NOFOLLOW ? 0 : EFFECT_FOLLOW;
}

/* ---- modes ---- */

int chmod(const char *path, mode_t mode)
{
	RETURN_WITH_EFFECT(effect_attributes(AT_FDCWD, path, EFFECT_FOLLOW), real_chmod(path, mode));
}

int lchmod(const char *path, mode_t mode)
{
	RETURN_WITH_EFFECT(effect_attributes(AT_FDCWD, path, 0), real_lchmod(path, mode));
}

int fchmodat(int dir, const char *path, mode_t mode, int flags)
{
	RETURN_WITH_EFFECT(effect_attributes(dir, path, following(flags)), real_fchmodat(dir, path, mode, flags));
}

int fchmod(int fd, mode_t mode)
{
	RETURN_WITH_EFFECT(effect_attributes(fd, NULL, 0), real_fchmod(fd, mode));
}

/* ---- owners ---- */

int chown(const char *path, uid_t user, gid_t group)
{
	RETURN_WITH_EFFECT(effect_attributes(AT_FDCWD, path, EFFECT_FOLLOW), real_chown(path, user, group));
}

int lchown(const char *path, uid_t user, gid_t group)
{
	RETURN_WITH_EFFECT(effect_attributes(AT_FDCWD, path, 0), real_lchown(path, user, group));
}

int fchownat(int dir, const char *path, uid_t user, gid_t group, int flags)
{
	RETURN_WITH_EFFECT(effect_attributes(dir, path, following(flags)), real_fchownat(dir, path, user, group, flags));
}

int fchown(int fd, uid_t user, gid_t group)
{
	RETURN_WITH_EFFECT(effect_attributes(fd, NULL, 0), real_fchown(fd, user, group));
}

/* ---- times ---- */

int utime(const char *path, const struct utimbuf *times)
{
	RETURN_WITH_EFFECT(effect_attributes(AT_FDCWD, path, EFFECT_FOLLOW), real_utime(path, times));
}

int utimes(const char *path, const struct timeval times[2])
{
	RETURN_WITH_EFFECT(effect_attributes(AT_FDCWD, path, EFFECT_FOLLOW), real_utimes(path, times));
}

int lutimes(const char *path, const struct timeval times[2])
{
	RETURN_WITH_EFFECT(effect_attributes(AT_FDCWD, path, 0), real_lutimes(path, times));
}

int futimes(int fd, const struct timeval times[2])
{
	RETURN_WITH_EFFECT(effect_attributes(fd, NULL, 0), real_futimes(fd, times));
}

int futimens(int fd, const struct timespec times[2])
{
	RETURN_WITH_EFFECT(effect_attributes(fd, NULL, 0), real_futimens(fd, times));
}

int futimesat(int dir, const char *path, const struct timeval times[2])
{
	RETURN_WITH_EFFECT(effect_attributes(dir, path, EFFECT_FOLLOW), real_futimesat(dir, path, times));
}

int utimensat(int dir, const char *path, const struct timespec times[2], int flags)
{
	RETURN_WITH_EFFECT(effect_attributes(dir, path, following(flags)), real_utimensat(dir, path, times, flags));
}

/* ---- extended attributes ---- */

int setxattr(const char *path, const char *name, const void *value, size_t size, int flags)
{
	RETURN_WITH_EFFECT(effect_attributes(AT_FDCWD, path, EFFECT_FOLLOW), real_setxattr(path, name, value, size, flags));
}

int lsetxattr(const char *path, const char *name, const void *value, size_t size, int flags)
{
	RETURN_WITH_EFFECT(effect_attributes(AT_FDCWD, path, 0), real_lsetxattr(path, name, value, size, flags));
}

int fsetxattr(int fd, const char *name, const void *value, size_t size, int flags)
{
	RETURN_WITH_EFFECT(effect_attributes(fd, NULL, 0), real_fsetxattr(fd, name, value, size, flags));
}

int removexattr(const char *path, const char *name)
{
	RETURN_WITH_EFFECT(effect_attributes(AT_FDCWD, path, EFFECT_FOLLOW), real_removexattr(path, name));
}

int lremovexattr(const char *path, const char *name)
{
	RETURN_WITH_EFFECT(effect_attributes(AT_FDCWD, path, 0), real_lremovexattr(path, name));
}

int fremovexattr(int fd, const char *name)
{
	RETURN_WITH_EFFECT(effect_attributes(fd, NULL, 0), real_fremovexattr(fd, name));
}
