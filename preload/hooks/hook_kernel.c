/*
 * Calls that change the kernel's state of the process, but nothing that simul models. The real call is made. An execution with such a call
 * can be rewound only if the change can be reverted (older_mappings.h, process_state.h).
 */
#include "preload/base/real.h"

#include <asm/prctl.h>
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/accesses/libc_state.h"
#include "preload/accesses/mem.h"
#include "preload/control/ctl.h"
#include "preload/control/thread_pointer.h"
#include "preload/base/guard.h"
#include "preload/base/sys.h"
#include "preload/hooks/changes_process.h"
#include "preload/hooks/directly.h"
#include "preload/hooks/hook_fail.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/fork_advice.h"
#include "preload/kernel/made_mappings.h"
#include "preload/kernel/older_mappings.h"
#include "preload/kernel/process.h"
#include "preload/kernel/thread_state.h"
#include "preload/life/rewind.h"
#include "preload/life/worker.h"

#include "preload/base/rules.h"

#define THROUGH(ret, name, params, args, why)                                                      \
	ret name params                                                                            \
	{                                                                                          \
		rewind_taint(why);                                                                 \
		return real_##name args;                                                           \
	}

#define KEPT(ret, name, params, args, state)                                                       \
	ret name params                                                                            \
	{                                                                                          \
		changes_process(state, true);                                                      \
		return real_##name args;                                                           \
	}

#define MEMORY "change what is mapped"
#define SELF "change the process itself"
#define ADVICE_GUARD_INSTALL 102 /* Linux 6.13 */
#define ADVICE_GUARD_REMOVE 103

/*
 * Advice about forks. The kernel checks it, and it is withdrawn at once: executions are forked too. A failure with ENOMEM means that a part was
 * not mapped; the rest follows the advice.
 */
static int advise_fork(void *addr, size_t n, int advice)
{
	int r = real_madvise(addr, n, advice), err = errno;

	if (r && err != ENOMEM)
		return r;
	if (advice == MADV_DONTFORK || advice == MADV_WIPEONFORK)
		real_madvise(addr, n, advice == MADV_DONTFORK ? MADV_DOFORK : MADV_KEEPONFORK);
	if (!fork_advice_set(addr, n, advice) && ctl_enter()) {
		ctl_uncontrolled("madvise about forks: it was not done for all memory, since there were too many calls");
		ctl_leave();
	}
	errno = err;
	return r;
}

/* Returns whether the advice changes what the memory holds, or whether it may be accessed. */
static bool changes_content(int advice)
{
	return advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE || advice == MADV_DONTNEED_LOCKED ||
	       advice == ADVICE_GUARD_INSTALL || advice == ADVICE_GUARD_REMOVE || advice == MADV_HWPOISON;
}

/* Records advice that is about to be given. */
static void note_advice(const void *addr, size_t n, int advice)
{
	bool back = made_has(addr, n);

	if (!back)
		DIRECTLY(back = older_advise(addr, n, advice));
	if (!back)
		rewind_taint(MEMORY);
}

int madvise(void *addr, size_t n, int advice)
{
	guard_mapping(addr, n, "madvise");
	if (changes_content(advice))
		mem_unmaps(addr, n, __builtin_return_address(0));
	if (fork_advice_is(advice))
		return advise_fork(addr, n, advice);
	note_advice(addr, n, advice);
	return real_madvise(addr, n, advice);
}

int posix_madvise(void *addr, size_t n, int advice)
{
	guard_mapping(addr, n, "posix_madvise");
	note_advice(addr, n, advice == POSIX_MADV_DONTNEED ? POSIX_MADV_NORMAL : advice); /* libc does nothing then */
	return real_posix_madvise(addr, n, advice);
}

THROUGH(int, mlock, (const void *addr, size_t n), (addr, n), MEMORY)
THROUGH(int, mlock2, (const void *addr, size_t n, unsigned flags), (addr, n, flags), MEMORY)
THROUGH(int, munlock, (const void *addr, size_t n), (addr, n), MEMORY)
THROUGH(int, munlockall, (void), (), MEMORY)

/* Reports that the end of the heap moves from `from` down to `to`. */
static void shrinks(char *from, char *to, const void *pc)
{
	if (to < from)
		mem_unmaps(to, (uint64_t)(from - to), pc);
}

int brk(void *end)
{
	rewind_taint(MEMORY);
	libc_touch_object(LIBC_brk, MEM_READ | MEM_WRITE | MEM_ATOMIC, (uintptr_t)__builtin_return_address(0));
	if (end)
		shrinks(real_sbrk(0), end, __builtin_return_address(0));
	return real_brk(end);
}

void *sbrk(intptr_t n)
{
	if (n)
		rewind_taint(MEMORY);
	unsigned flags = MEM_READ | MEM_ATOMIC | (n ? MEM_WRITE : 0);
	libc_touch_object(LIBC_brk, flags, (uintptr_t)__builtin_return_address(0));
	char *now = n < 0 ? real_sbrk(0) : NULL;
	if (now)
		shrinks(now, now + n, __builtin_return_address(0));
	return real_sbrk(n);
}

/* Only checks the arguments. The real call would lock the memory that simul has reserved, which is far more than a machine has. The program
   cannot observe whether memory is locked. */
int mlockall(int flags)
{
	if (ctl_state != CTL_ON)
		return real_mlockall(flags);
	if (!flags || flags & ~(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT)) {
		errno = EINVAL;
		return -1;
	}
	return 0;
}

KEPT(int, chdir, (const char *path), (path), KEPT_DIRECTORY)
KEPT(int, fchdir, (int fd), (fd), KEPT_DIRECTORY)
THROUGH(int, chroot, (const char *path), (path), SELF)
KEPT(mode_t, umask, (mode_t mask), (mask), KEPT_UMASK)
KEPT(int, setrlimit, (__rlimit_resource_t what, const struct rlimit *new), (what, new), KEPT_LIMIT + (unsigned)what)
KEPT(int, setrlimit64, (__rlimit_resource_t what, const struct rlimit64 *new), (what, new), KEPT_LIMIT + (unsigned)what)

#define LIMITS(name, type)                                                                         \
	int name(__pid_t pid, enum __rlimit_resource what, const struct type *new, struct type *old) \
	{                                                                                          \
		pid = process_kernel_id(pid);                                                      \
		if (new && !process_may_change(pid, "prlimit"))                                    \
			return -1;                                                                 \
		if (new)                                                                           \
			changes_process(KEPT_LIMIT + (unsigned)what, !pid);                        \
		return real_##name(pid, what, new, old);                                           \
	}

LIMITS(prlimit, rlimit)
LIMITS(prlimit64, rlimit64)

/* The result is the personality before. */
int personality(unsigned long which)
{
	if ((uint32_t)which != UINT32_MAX)
		rewind_taint(SELF);
	int before = real_personality(which);

	if (before != -1 && (uint32_t)which != UINT32_MAX && (uint32_t)which != (uint32_t)before)
		thread_state_changed("personality");
	return before;
}

/* Namespaces and the working directory. Whether these calls succeed depends on the number of kernel threads, so they are not tried first. */
int unshare(int flags)
{
	if (flags & CLONE_FILES && !thread_state_alone())
		ctl_refuse("the program calls unshare(CLONE_FILES) in one of several threads, which then has descriptors of its own: simul has one "
			   "table of descriptors for all threads");
	thread_state_changed("unshare");
	rewind_taint(SELF);
	return real_unshare(flags);
}

int setns(int fd, int type)
{
	thread_state_changed("setns");
	rewind_taint(SELF);
	return real_setns(fd, type);
}

static int set_registers(int (*real)(int, unsigned long), int code, unsigned long arg)
{
	rewind_taint(SELF);
	thread_pointer_need();
	int r = real(code, arg);

	if (!r && code == ARCH_SET_FS)
		thread_pointer_changed(arg);
	if (!r && (code == ARCH_SET_FS || code == ARCH_SET_GS || code == ARCH_SET_CPUID))
		thread_state_changed("arch_prctl");
	return r;
}

int arch_prctl(int code, unsigned long arg)
{
	return set_registers(real_arch_prctl, code, arg);
}

int __arch_prctl(int code, unsigned long arg)
{
	return set_registers(real___arch_prctl, code, arg);
}

THROUGH(int, setpgid, (__pid_t pid, __pid_t group), (process_kernel_id(pid), process_kernel_id(group)), SELF)
THROUGH(int, setpgrp, (void), (), SELF)
THROUGH(__pid_t, setsid, (void), (), SELF)
