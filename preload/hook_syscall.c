/*
 * syscall(): the back door around libc's functions. Calls that matter are led to the hook of the same name;
 * those that would make threads we cannot see are refused; the rest is the kernel's business.
 */
#include <asm/unistd.h>
#include <errno.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "preload/ctl.h"
#include "preload/futex.h"
#include "preload/process.h"
#include "preload/real.h"
#include "preload/rewind.h"
#include "preload/share.h"
#include "preload/signals.h"
#include "preload/sync.h"
#include "preload/sys.h"

#include "preload/rules.h"

/* Arguments as the kernel's types. */
#define P(i) ((void *)a[i])
#define I(i) ((int)a[i])
#define Z(i) ((size_t)a[i])

/* What syscall() returns for a raw result. */
static long as_result(long raw)
{
	if (raw >= 0 || raw < -4095)
		return raw;
	errno = (int)-raw;
	return -1;
}

/* What syscall() returns for a function that returns an errno value. */
static long of_error(int err)
{
	return as_result(-(long)err);
}

static void __attribute__((noreturn)) refuse_thread(const char *call)
{
	ctl_refuse("the program makes a thread with %s, behind the back of libc: simul can only run threads that "
		   "pthread_create or thrd_create made",
		call);
}

/* A new process, by a call that shares no memory: the child goes on without simul. */
static long fork_raw(long n, const long a[6])
{
	rewind_stain("start processes");
	outside_note("starts processes");
	long r = sys_call6(n, a[0], a[1], a[2], a[3], a[4], a[5]);

	if (r == 0)
		ctl_become_native();
	return as_result(r);
}

/* Legal after ctl_enter, which it leaves. */
static long make_process(long n, const long a[6])
{
	uint64_t flags = 0;

	if (n == SYS_clone)
		flags = (uint64_t)a[0];
	else if (n == SYS_clone3 && a[0])
		flags = ((const struct clone_args *)a[0])->flags;
	if (flags & CLONE_VM && !(flags & CLONE_VFORK))
		refuse_thread(n == SYS_clone ? "syscall(SYS_clone)" : "syscall(SYS_clone3)");
	long r = fork_raw(n == SYS_vfork ? SYS_fork : n, a);

	ctl_leave();
	return r;
}

/* Time, scheduling and the like: true when there is a hook for it, with the result in *r. */
static bool plain_hook(long n, const long a[6], long *r)
{
	switch (n) {
	case SYS_sched_yield:
		*r = sched_yield();
		return true;
	case SYS_nanosleep:
		*r = nanosleep(P(0), P(1));
		return true;
	case SYS_clock_nanosleep:
		*r = of_error(clock_nanosleep(I(0), I(1), P(2), P(3)));
		return true;
	case SYS_clock_gettime:
		*r = clock_gettime(I(0), P(1));
		return true;
	case SYS_gettimeofday:
		*r = gettimeofday(P(0), P(1));
		return true;
	case SYS_time:
		*r = time(P(0));
		return true;
	case SYS_gettid:
		*r = gettid();
		return true;
	case SYS_getpid:
		*r = getpid();
		return true;
	case SYS_getppid:
		*r = getppid();
		return true;
	case SYS_kill:
		*r = kill(I(0), I(1));
		return true;
	case SYS_getpriority: /* the kernel's answer is never negative */
		errno = 0;
		*r = getpriority(I(0), (id_t)a[1]);
		*r = errno ? -1 : 20 - *r;
		return true;
	case SYS_setpriority:
		*r = setpriority(I(0), (id_t)a[1], I(2));
		return true;
	case SYS_pause:
		*r = pause();
		return true;
	case SYS_exit_group:
		_exit(I(0));
	default:
		return false;
	}
}

static bool descriptor_hook(long n, const long a[6], long *r)
{
	switch (n) {
	case SYS_read:
		*r = read(I(0), P(1), Z(2));
		return true;
	case SYS_write:
		*r = write(I(0), P(1), Z(2));
		return true;
	case SYS_readv:
		*r = readv(I(0), P(1), I(2));
		return true;
	case SYS_writev:
		*r = writev(I(0), P(1), I(2));
		return true;
	case SYS_close:
		*r = close(I(0));
		return true;
	case SYS_poll:
		*r = poll(P(0), (nfds_t)a[1], I(2));
		return true;
	case SYS_select:
		*r = select(I(0), P(1), P(2), P(3), P(4));
		return true;
	case SYS_epoll_wait:
		*r = epoll_wait(I(0), P(1), I(2), I(3));
		return true;
	case SYS_accept:
		*r = accept(I(0), P(1), P(2));
		return true;
	case SYS_connect:
		*r = connect(I(0), P(1), (socklen_t)a[2]);
		return true;
	case SYS_recvfrom:
		*r = recvfrom(I(0), P(1), Z(2), I(3), P(4), P(5));
		return true;
	case SYS_sendto:
		*r = sendto(I(0), P(1), Z(2), I(3), P(4), (socklen_t)a[5]);
		return true;
	case SYS_wait4:
		*r = wait4(I(0), P(1), I(2), P(3));
		return true;
	case SYS_getrandom:
		*r = getrandom(P(0), Z(1), (unsigned)a[2]);
		return true;
	default:
		return false;
	}
}

/* What makes, changes or takes away files. */
static bool file_hook(long n, const long a[6], long *r)
{
	switch (n) {
	case SYS_open:
		*r = open(P(0), I(1), (mode_t)a[2]);
		return true;
	case SYS_openat:
		*r = openat(I(0), P(1), I(2), (mode_t)a[3]);
		return true;
	case SYS_creat:
		*r = creat(P(0), (mode_t)a[1]);
		return true;
	case SYS_mkdir:
		*r = mkdir(P(0), (mode_t)a[1]);
		return true;
	case SYS_mkdirat:
		*r = mkdirat(I(0), P(1), (mode_t)a[2]);
		return true;
	case SYS_rmdir:
		*r = rmdir(P(0));
		return true;
	case SYS_unlink:
		*r = unlink(P(0));
		return true;
	case SYS_unlinkat:
		*r = unlinkat(I(0), P(1), I(2));
		return true;
	case SYS_rename:
		*r = rename(P(0), P(1));
		return true;
	case SYS_renameat:
		*r = renameat(I(0), P(1), I(2), P(3));
		return true;
	case SYS_renameat2:
		*r = renameat2(I(0), P(1), I(2), P(3), (unsigned)a[4]);
		return true;
	case SYS_link:
		*r = link(P(0), P(1));
		return true;
	case SYS_linkat:
		*r = linkat(I(0), P(1), I(2), P(3), I(4));
		return true;
	case SYS_symlink:
		*r = symlink(P(0), P(1));
		return true;
	case SYS_symlinkat:
		*r = symlinkat(P(0), I(1), P(2));
		return true;
	case SYS_truncate:
		*r = truncate(P(0), a[1]);
		return true;
	default:
		return false;
	}
}

/* Is its first argument the number of a thread or process? */
static bool names_thread(long n)
{
	switch (n) {
	case SYS_sched_getaffinity:
	case SYS_sched_getattr:
	case SYS_sched_getparam:
	case SYS_sched_getscheduler:
	case SYS_sched_rr_get_interval:
	case SYS_sched_setaffinity:
	case SYS_sched_setattr:
	case SYS_sched_setparam:
	case SYS_sched_setscheduler:
	case SYS_prlimit64:
		return true;
	default:
		return false;
	}
}

/* Does the call change nothing? The others are taken to. */
static bool only_asks(long n)
{
	switch (n) {
	case SYS_getuid:
	case SYS_geteuid:
	case SYS_getgid:
	case SYS_getegid:
	case SYS_getcpu:
	case SYS_sched_getaffinity:
	case SYS_sched_getattr:
	case SYS_sched_getparam:
	case SYS_sched_getscheduler:
	case SYS_sched_rr_get_interval:
	case SYS_clock_getres:
	case SYS_getrusage:
	case SYS_uname:
	case SYS_sysinfo:
	case SYS_membarrier:
	case SYS_fstat:
	case SYS_stat:
	case SYS_newfstatat:
		return true;
	default:
		return false;
	}
}

/* Does the call change nothing but the process itself? */
static bool stays_inside(long n)
{
	switch (n) {
	case SYS_mmap:
	case SYS_munmap:
	case SYS_mremap:
	case SYS_mprotect:
	case SYS_madvise:
	case SYS_mincore:
	case SYS_mlock:
	case SYS_munlock:
	case SYS_brk:
	case SYS_prctl:
	case SYS_arch_prctl:
	case SYS_set_robust_list:
	case SYS_rseq:
	case SYS_sched_setaffinity:
	case SYS_sched_setattr:
	case SYS_sched_setparam:
	case SYS_sched_setscheduler:
	case SYS_prlimit64:
	case SYS_set_mempolicy:
	case SYS_mbind:
	case SYS_memfd_create:
	case SYS_rt_sigaction:
	case SYS_rt_sigprocmask:
	case SYS_rt_sigpending:
	case SYS_sigaltstack:
	case SYS_lseek:
	case SYS_pread64:
	case SYS_lstat:
	case SYS_statx:
	case SYS_access:
	case SYS_faccessat:
	case SYS_readlink:
	case SYS_readlinkat:
	case SYS_getcwd:
	case SYS_getdents64:
	case SYS_chdir:
	case SYS_umask:
		return true;
	default:
		return false;
	}
}

long syscall(long n, ...)
{
	long a[6], r;
	va_list ap;

	va_start(ap, n); /* every call has room for six, as in glibc's own */
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (ctl_state != CTL_ON || ctl_inside)
		return as_result(sys_call6(n, a[0], a[1], a[2], a[3], a[4], a[5]));
	if (plain_hook(n, a, &r) || descriptor_hook(n, a, &r) || file_hook(n, a, &r))
		return r;
	if (!ctl_enter())
		return as_result(sys_call6(n, a[0], a[1], a[2], a[3], a[4], a[5]));
	switch (n) {
	case SYS_futex:
		r = as_result(futex_call(a, HERE));
		break;
	case SYS_tgkill:
		r = as_result(signals_tgkill(I(0), I(1), I(2), HERE));
		break;
	case SYS_tkill:
		r = as_result(signals_tgkill(-1, I(0), I(1), HERE));
		break;
	case SYS_futex_waitv:
		ctl_refuse("the program calls syscall(SYS_futex_waitv), which simul does not model");
	case SYS_io_uring_setup:
	case SYS_io_uring_enter:
	case SYS_io_uring_register:
		ctl_refuse("the program uses io_uring (system call %ld), which simul does not model: its completions come from the kernel, and a "
			   "thread that waits for one would block all others; have it use read, write and epoll instead", n);
	case SYS_signalfd:
	case SYS_signalfd4:
		ctl_refuse("the program calls syscall(SYS_signalfd): that makes a descriptor for signals, which simul delivers without the kernel; use sigwait in a thread");
	case SYS_fork:
	case SYS_vfork:
	case SYS_clone:
	case SYS_clone3:
		return make_process(n, a);
	case SYS_exit:
		ctl_refuse("the program ends a thread with syscall(SYS_exit), behind the back of libc: use "
			   "pthread_exit");
	default:
		if (!only_asks(n))
			rewind_stain("make system calls past libc");
		if (!only_asks(n) && !stays_inside(n))
			outside_note("makes system call %ld past libc", n);
		if (names_thread(n))
			a[0] = process_kernel_id(I(0));
		r = as_result(sys_call6(n, a[0], a[1], a[2], a[3], a[4], a[5]));
	}
	ctl_leave();
	return r;
}
