#include "preload/kernel/descriptors.h"

#include <errno.h>
#include <fcntl.h>

#include "preload/accesses/mem.h"
#include "preload/base/sys.h"
#include "preload/control/ctl.h"
#include "preload/kernel/fd.h"
#include "preload/base/rules.h"

#define FIRST_DUPLICATE 900 /* above what programs use, below the usual limit */

/* An event on the table of descriptors, if it is visible; otherwise `note` records what happens to the number. */
static void use_table(int fd, enum resource_use use, void (*note)(int fd), const void *pc)
{
	struct resources r = {.pc = pc};

	if (!mem_on || fd < 0)
		return;
	if (!resource_is_visible(RESOURCE_descriptors)) {
		note(fd);
		return;
	}
	resources_add(&r, RESOURCE_descriptors, use, NULL);
	resources_perform(&r);
}

int descriptor_duplicate(int fd)
{
	long held = sys_fcntl(fd, F_DUPFD_CLOEXEC, FIRST_DUPLICATE);

	if (sys_failed(held))
		return fd; /* not open */
	fd_lookup(fd);
	fd_copy(fd, (int)held);
	resource_duplicated(fd, (int)held);
	return (int)held;
}

void descriptor_looked_up(int fd, const void *pc)
{
	use_table(fd, RESOURCE_READ, number_used, pc);
}

int descriptor_hold(int fd, const void *pc)
{
	descriptor_looked_up(fd, pc);
	return mem_on && fd >= 0 && resource_is_visible(RESOURCE_descriptors) ? descriptor_duplicate(fd) : fd;
}

void descriptor_release(int fd, int held)
{
	if (held == fd)
		return;
	bool inside = ctl_inside;

	ctl_inside = 1;
	fd_forget(held);
	resource_closed(held);
	sys_close(held);
	ctl_inside = inside;
}

void descriptor_closing(int fd, const void *pc)
{
	use_table(fd, RESOURCE_CHANGE, number_closed, pc);
}

void descriptor_changing(int fd, const void *pc)
{
	use_table(fd, RESOURCE_CHANGE, number_changed, pc);
}

int descriptor_opened(int fd)
{
	while (number_may_be_in_use(fd)) {
		long flags = sys_fcntl(fd, F_GETFD, 0), other = sys_fcntl(fd, flags & FD_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, fd + 1);

		if (sys_failed(other))
			break;
		fd_copy(fd, (int)other);
		fd_forget(fd);
		sys_close(fd);
		fd = (int)other;
	}
	number_opened(fd);
	resource_opened(fd);
	return fd;
}

void descriptor_file_used(int fd, const struct file_use *how, const void *pc)
{
	struct resources r = {.pc = pc};

	if (!mem_on)
		return;
	resource_file(&r, fd, how);
	resources_perform(&r);
}

void descriptor_reads(int fd, const void *pc)
{
	descriptor_file_used(fd, &(struct file_use){.contents = RESOURCE_READ, .position = RESOURCE_CHANGE}, pc);
}

void descriptor_writes(int fd, const void *pc)
{
	descriptor_file_used(fd, &(struct file_use){.contents = RESOURCE_ADD, .position = RESOURCE_ADD}, pc);
}
