#include "preload/kernel/descriptors.h"

#include <errno.h>
#include <fcntl.h>

#include "preload/accesses/mem.h"
#include "preload/base/outside.h"
#include "preload/base/sys.h"
#include "preload/control/ctl.h"
#include "preload/kernel/fd.h"
#include "preload/memory/unforeseen.h"
#include "preload/base/rules.h"

#define FIRST_DUPLICATE 900 /* above what programs use, below the usual limit */

static bool is_socket(int fd)
{
	const struct open_file *f = fd_known(fd);

	return f && (f->kind == FILE_PAIR || f->kind == FILE_NET);
}

/* An event if the table of descriptors is visible, or the options of the socket: calls on sockets depend on them. */
static void look_up(int fd, enum resource_use use, const void *pc)
{
	struct resources r = {.pc = pc};

	if (!mem_on || fd < 0)
		return;
	resources_number(&r, fd, use);
	if (is_socket(fd))
		resources_settings(&r, SETTINGS_OF_socket, resource_open_file(fd), RESOURCE_READ);
	if (r.n)
		resources_perform(&r);
}

/* ---- descriptors that children do not get ---- */

/* Descriptors that simul keeps open for a call in progress: the program has closed them, or they are simul's duplicates. */
static uint64_t aside[1024 / 64]; /* private: of the running execution */

static void put_aside(int fd, bool on)
{
	if (fd < 0 || (unsigned)fd >= sizeof(aside) * 8)
		return;
	if (on)
		aside[fd / 64] |= UINT64_C(1) << fd % 64;
	else
		aside[fd / 64] &= ~(UINT64_C(1) << fd % 64);
}

void descriptors_become_native(void)
{
	for (int fd = 0; (unsigned)fd < sizeof(aside) * 8; fd++)
		if (aside[fd / 64] >> fd % 64 & 1)
			sys_close(fd);
}

/* ---- calls in steps ---- */

int descriptor_duplicate(int fd)
{
	long held = sys_fcntl(fd, F_DUPFD_CLOEXEC, FIRST_DUPLICATE);

	if (sys_failed(held))
		return fd; /* not open */
	fd_lookup(fd);
	fd_copy(fd, (int)held);
	resource_duplicated(fd, (int)held);
	put_aside((int)held, true);
	return (int)held;
}

void descriptor_looked_up(int fd, const void *pc)
{
	outside_touched = true;
	look_up(fd, RESOURCE_READ, pc);
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
	put_aside(held, false);
	sys_close(held);
	ctl_inside = inside;
}

/* Returns whether exec closes fd. */
static bool closed_by_exec(int fd)
{
	long flags = sys_fcntl(fd, F_GETFD, 0);

	return !sys_failed(flags) && flags & FD_CLOEXEC;
}

bool descriptors_close_in_steps(void)
{
	return resource_is_visible(RESOURCE_descriptors) || resources_inherited_visible(false) || resources_inherited_visible(true);
}

static void closing(int fd, bool replaced, const void *pc)
{
	struct resources r = {.pc = pc};

	if (!mem_on || fd < 0)
		return;
	number_unforeseen(fd, false);
	if (resource_is_visible(RESOURCE_descriptors))
		resources_add(&r, RESOURCE_descriptors, RESOURCE_CHANGE, NULL);
	else
		number_closed(fd);
	resources_inherited(&r, closed_by_exec(fd));
	if (replaced)
		resources_inherited(&r, false);
	resources_perform(&r);
}

void descriptor_closing(int fd, const void *pc)
{
	closing(fd, false, pc);
}

void descriptor_replacing(int fd, int by, const void *pc)
{
	if (mem_on && by >= 0 && !resource_is_visible(RESOURCE_descriptors))
		number_used(by); /* else the event that replaces fd meets all uses of `by` */
	closing(fd, true, pc);
}

void descriptor_closing_later(int fd, const void *pc)
{
	closing(fd, false, pc);
	if (resources_inherited_visible(false))
		sys_fcntl(fd, F_SETFD, FD_CLOEXEC);
}

void descriptors_changing(const void *pc)
{
	struct resources r = {.pc = pc};

	if (!mem_on)
		return;
	resources_inherited(&r, false);
	resources_inherited(&r, true);
	resources_perform(&r);
}

void descriptor_came(int fd, const void *pc)
{
	struct resources r = {.pc = pc};
	bool hidden = closed_by_exec(fd);

	if (!mem_on)
		return;
	resources_inherited(&r, hidden);
	if (!resources_inherited_visible(hidden)) {
		resources_perform(&r); /* no event */
		return;
	}
	put_aside(fd, true);
	sys_fcntl(fd, F_SETFD, FD_CLOEXEC);
	resources_perform(&r);
	sys_fcntl(fd, F_SETFD, hidden ? FD_CLOEXEC : 0);
	put_aside(fd, false);
}

void descriptor_inherited(int fd, bool by_exec, const void *pc)
{
	struct resources r = {.pc = pc};

	if (!mem_on || fd < 0)
		return;
	resources_number(&r, fd, RESOURCE_READ);
	resources_inherited(&r, !by_exec);
	resources_perform(&r);
}

void descriptor_settings(int fd, enum settings_of of, enum resource_use use, const void *pc)
{
	struct resources r = {.pc = pc};

	if (!mem_on || fd < 0)
		return;
	resources_number(&r, fd, RESOURCE_READ);
	resources_settings(&r, of, resource_open_file(fd), use);
	if (of == SETTINGS_OF_descriptor && use != RESOURCE_READ)
		resources_inherited(&r, false);
	resources_perform(&r);
}

void descriptor_sealed(int fd, enum resource_use use, const void *pc)
{
	struct file_use how = {.contents = use, .attributes = use, .length = true};

	if (mem_on && fd >= 0)
		look_up(fd, RESOURCE_READ, pc);
	descriptor_file_used(fd, &how, pc);
}

void descriptor_changing(int fd, const void *pc)
{
	look_up(fd, RESOURCE_CHANGE, pc);
}

/* Moves a descriptor to the lowest free number from `least` on. Returns the new number; a negative errno value: it
   stays where it is. */
static int moved(int fd, int least)
{
	long flags = sys_fcntl(fd, F_GETFD, 0);
	long to = sys_fcntl(fd, flags & FD_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, least);

	if (sys_failed(to))
		return (int)to;
	fd_copy(fd, (int)to);
	fd_forget(fd);
	sys_close(fd);
	return (int)to;
}

/* Returns the number that the program gets instead of fd. */
static int take_number(int fd)
{
	while (number_may_be_in_use(fd)) {
		int to = moved(fd, number_not_in_use(fd + 1));

		if (to < 0)
			break;
		fd = to;
	}
	number_opened(fd);
	return fd;
}

int descriptor_opened(int fd)
{
	fd = take_number(fd);
	resource_opened(fd, false);
	return fd;
}

int descriptor_made(int fd)
{
	fd = take_number(fd);
	resource_opened(fd, true);
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

void descriptor_output(int fd, const void *pc)
{
	struct resources r = {.pc = pc};

	resource_output(&r, fd);
	resources_perform(&r);
}

void descriptor_reads(int fd, bool at, const void *pc)
{
	struct file_use how = {.contents = RESOURCE_READ, .position = at ? RESOURCE_UNUSED : RESOURCE_CHANGE};

	descriptor_file_used(fd, &how, pc);
}

void descriptor_writes(int fd, bool at, const void *pc)
{
	struct file_use how = {.contents = RESOURCE_ADD, .position = at ? RESOURCE_UNUSED : RESOURCE_ADD};

	descriptor_file_used(fd, &how, pc);
}
