#include "preload/kernel/file_identity.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "preload/base/sys.h"
#include "preload/base/rules.h"

/* Some containers refuse statx. */
static bool by_stat(int dir, const char *name, long flags, struct file_identity *id)
{
	struct stat st;

	if (sys_call4(SYS_newfstatat, dir, (long)name, (long)&st, flags))
		return false;
	*id = (struct file_identity){
		.device = (uint64_t)major(st.st_dev) << 32 | minor(st.st_dev),
		.inode = st.st_ino,
		.length = (uint64_t)st.st_size,
		.links = (uint32_t)st.st_nlink,
		.mode = (uint16_t)st.st_mode,
	};
	return true;
}

bool file_identify(int dir, const char *name, bool follow, struct file_identity *id)
{
	struct statx st;
	long flags = (follow ? 0 : AT_SYMLINK_NOFOLLOW) | AT_NO_AUTOMOUNT | (*name ? 0 : AT_EMPTY_PATH);
	unsigned what = STATX_TYPE | STATX_INO | STATX_SIZE | STATX_NLINK | STATX_BTIME;
	long r = sys_call5(SYS_statx, dir, (long)name, flags, what, (long)&st);

	if (r == -ENOSYS || r == -EPERM)
		return by_stat(dir, name, flags, id);
	if (r)
		return false;
	*id = (struct file_identity){
		.device = (uint64_t)st.stx_dev_major << 32 | st.stx_dev_minor,
		.inode = st.stx_ino,
		.birth = st.stx_mask & STATX_BTIME ? (uint64_t)st.stx_btime.tv_sec * 1000000000u + st.stx_btime.tv_nsec : 0,
		.length = st.stx_size,
		.links = st.stx_nlink,
		.mode = st.stx_mode,
	};
	return true;
}

static bool starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

bool file_is_of_kernel(const char *path)
{
	if (starts_with(path, "/dev/shm/"))
		return false;
	return starts_with(path, "/dev/") || starts_with(path, "/proc/") || starts_with(path, "/sys/");
}
