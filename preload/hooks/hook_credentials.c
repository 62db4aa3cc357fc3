/*
 * Users, groups and capabilities. libc's functions concern the whole process (setuid and its kind, setgroups), except for those that are bare
 * system calls: they concern the calling thread (setfsuid, setfsgid, capset).
 */
#include "preload/base/real.h"

#include <errno.h>
#include <grp.h>
#include <sys/fsuid.h>
#include <unistd.h>

#include "preload/base/outside.h"
#include "preload/kernel/thread_state.h"

#include "preload/base/rules.h"

#define THROUGH(ret, name, params, args)                                                           \
	ret name params                                                                            \
	{                                                                                          \
		rewind_taint("change the process itself");                                         \
		return real_##name args;                                                           \
	}

THROUGH(int, setuid, (__uid_t id), (id))
THROUGH(int, setgid, (__gid_t id), (id))
THROUGH(int, seteuid, (__uid_t id), (id))
THROUGH(int, setegid, (__gid_t id), (id))
THROUGH(int, setreuid, (__uid_t real, __uid_t effective), (real, effective))
THROUGH(int, setregid, (__gid_t real, __gid_t effective), (real, effective))
THROUGH(int, setresuid, (__uid_t real, __uid_t effective, __uid_t saved), (real, effective, saved))
THROUGH(int, setresgid, (__gid_t real, __gid_t effective, __gid_t saved), (real, effective, saved))
THROUGH(int, setgroups, (size_t n, const __gid_t *groups), (n, groups))
THROUGH(int, initgroups, (const char *user, __gid_t group), (user, group))

/* The result is the id before; whether the call has succeeded shows only in the id after it. */
#define FILE_SYSTEM_ID(name, type)                                                                 \
	int name(type id)                                                                          \
	{                                                                                          \
		rewind_taint("change the process itself");                                         \
		int before = real_##name(id);                                                      \
		if (real_##name((type)-1) != before)                                               \
			thread_state_changed(#name);                                               \
		return before;                                                                     \
	}

FILE_SYSTEM_ID(setfsuid, __uid_t)
FILE_SYSTEM_ID(setfsgid, __gid_t)

int capset(void *header, const void *data)
{
	rewind_taint("change the process itself");
	int r = real_capset(header, data);

	if (!r)
		thread_state_changed("capset");
	return r;
}
