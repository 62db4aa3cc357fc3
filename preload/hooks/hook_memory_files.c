/* Files that exist in memory only: memfd_create and shm_open. */
#include "preload/base/real.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "preload/base/outside.h"
#include "preload/control/ctl.h"
#include "preload/hooks/with_effect.h"
#include "preload/kernel/descriptors.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/file_restore.h"

#include "preload/base/rules.h"

/* made: the call has also made the file. */
static int opened(int fd, bool made)
{
	if (fd >= FILES_MARKED)
		snapshot_tainted = true;
	if (fd >= 0 && ctl_enter()) {
		fd_forget(fd);
		fd = made ? descriptor_made(fd) : descriptor_opened(fd);
		ctl_leave();
	}
	return fd;
}

int memfd_create(const char *name, unsigned flags)
{
	return opened(real_memfd_create(name, flags), true);
}

int shm_open(const char *name, int flags, mode_t mode)
{
	bool makes = (flags & O_CREAT) && (flags & O_EXCL);
	unsigned how = (flags & O_EXCL) || !(flags & (O_ACCMODE | O_TRUNC)) ? EFFECT_NEW : 0;

	outside_note("opens the shared memory %.200s", name ? name : "");
	struct effect e = effect_shm("", name, how);

	return opened(effect_done(&e, real_shm_open(name, flags, mode)), makes);
}

int shm_unlink(const char *name)
{
	RETURN_WITH_EFFECT(effect_shm("", name, 0), real_shm_unlink(name));
}
