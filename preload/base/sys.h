/*
 * Raw system calls. They touch neither errno nor any hook, and are legal at any point, also on a
 * private stack, between fork and exec, and in a signal handler.
 *
 * Every wrapper returns what the kernel returned: a result >= 0, or -errno (-4095 .. -1).
 */
#ifndef SIMUL_SYS_H
#define SIMUL_SYS_H

#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>

#include "base/processor.h"

/* System call `n` with six arguments. sys_call0 to sys_call5 pass fewer. */
static inline long sys_call6(long n, long a, long b, long c, long d, long e, long f)
{
	return processor_system_call(n, a, b, c, d, e, f);
}

static inline long sys_call5(long n, long a, long b, long c, long d, long e)
{
	return sys_call6(n, a, b, c, d, e, 0);
}

static inline long sys_call4(long n, long a, long b, long c, long d)
{
	return sys_call6(n, a, b, c, d, 0, 0);
}

static inline long sys_call3(long n, long a, long b, long c)
{
	return sys_call6(n, a, b, c, 0, 0, 0);
}

static inline long sys_call2(long n, long a, long b)
{
	return sys_call6(n, a, b, 0, 0, 0, 0);
}

static inline long sys_call1(long n, long a)
{
	return sys_call6(n, a, 0, 0, 0, 0, 0);
}

static inline long sys_call0(long n)
{
	return sys_call6(n, 0, 0, 0, 0, 0, 0);
}

/* Returns whether the result of a system call is an error. If it is, the errno value is -ret. */
static inline int sys_failed(long ret)
{
	return (unsigned long)ret >= (unsigned long)-4095L;
}

/* ---- memory ---- */

static inline void *sys_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t off)
{
	return (void *)sys_call6(SYS_mmap, (long)addr, (long)len, prot, flags, fd, off);
}

static inline long sys_munmap(void *addr, size_t len)
{
	return sys_call2(SYS_munmap, (long)addr, (long)len);
}

static inline long sys_mprotect(void *addr, size_t len, int prot)
{
	return sys_call3(SYS_mprotect, (long)addr, (long)len, prot);
}

/*
 * Preferred addresses of simul's own mappings, far from the kernel's default range. At addresses of the kernel's choice, these mappings
 * would lie between the program's, and the program's addresses would differ from process to process. They would also take the room that the
 * patched code of libraries needs. 0 to 7 are single mappings; 8, 16 and 128 are for mappings of gigabytes; memory that the program unmaps
 * may lie from 4096 on (kernel/older_mappings.h).
 */
#define SYS_AWAY_AT(n) (UINT64_C(0x100000000000) + (n) * (UINT64_C(1) << 30))
#define SYS_AWAY(n) ((void *)SYS_AWAY_AT(n))
#define SYS_AWAY_BYTES (UINT64_C(8) << 30) /* bytes of the range of the single mappings */

/* Maps zeroed memory, at `wish` if that is free, that this process shares with those forked later. Pages take memory at their first use.
   Returns NULL if there is no room. */
static inline void *sys_map_shared(void *wish, size_t bytes)
{
	void *p = sys_mmap(wish, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return sys_failed((long)p) ? NULL : p;
}

/* ---- futexes ---- */

/* FUTEX_WAIT on *word while it is `val`; timeout NULL: for ever. `op` may add FUTEX_PRIVATE_FLAG. */
static inline long sys_futex_wait(const uint32_t *word, uint32_t val, const struct timespec *timeout)
{
	return sys_call6(SYS_futex, (long)word, FUTEX_WAIT, val, (long)timeout, 0, 0);
}

/* Wakes at most n waiters, in this process and in those that share the memory. */
static inline long sys_futex_wake(uint32_t *word, int n)
{
	return sys_call6(SYS_futex, (long)word, FUTEX_WAKE, n, 0, 0, 0);
}

static inline long sys_futex(
	uint32_t *word, int op, uint32_t val, const void *timeout, uint32_t *word2, uint32_t val3)
{
	return sys_call6(SYS_futex, (long)word, op, val, (long)timeout, (long)word2, val3);
}

/* ---- processes and threads ---- */

static inline long sys_clone(
	unsigned long flags, void *stack, int *parent_tid, int *child_tid, unsigned long tls)
{
	return sys_call5(SYS_clone, (long)flags, (long)stack, (long)parent_tid, (long)child_tid,
		(long)tls);
}

/* fork without any of glibc's handlers: the child has the calling kernel thread only, on its stack. */
static inline long sys_fork(void)
{
	return sys_clone(SIGCHLD, NULL, NULL, NULL, 0);
}

static inline void __attribute__((noreturn)) sys_exit_group(int status)
{
	for (;;)
		sys_call1(SYS_exit_group, status);
}

/* Ends the calling kernel thread only. */
static inline void __attribute__((noreturn)) sys_exit_thread(int status)
{
	for (;;)
		sys_call1(SYS_exit, status);
}

static inline long sys_wait4(pid_t pid, int *status, int options, void *rusage)
{
	return sys_call4(SYS_wait4, pid, (long)status, options, (long)rusage);
}

static inline long sys_waitid(int idtype, id_t id, siginfo_t *info, int options, void *rusage)
{
	return sys_call5(SYS_waitid, idtype, (long)id, (long)info, options, (long)rusage);
}

static inline pid_t sys_getpid(void)
{
	return (pid_t)sys_call0(SYS_getpid);
}

static inline pid_t sys_gettid(void)
{
	return (pid_t)sys_call0(SYS_gettid);
}

static inline long sys_kill(pid_t pid, int sig)
{
	return sys_call2(SYS_kill, pid, sig);
}

static inline long sys_tgkill(pid_t tgid, pid_t tid, int sig)
{
	return sys_call3(SYS_tgkill, tgid, tid, sig);
}

static inline long sys_arch_prctl(int code, unsigned long value)
{
	return sys_call2(SYS_arch_prctl, code, (long)value);
}

static inline long sys_prctl(int option, unsigned long a, unsigned long b)
{
	return sys_call5(SYS_prctl, option, (long)a, (long)b, 0, 0);
}

/* ---- signals; a kernel signal set is 8 bytes ---- */

#define SYS_SIGSET 8

/* A bit of sa_flags, and the layout of the kernel's own struct sigaction (x86-64). */
#define SYS_SA_RESTORER 0x04000000UL

struct sys_sigaction {
	void *handler;
	unsigned long flags;
	void *restorer;
	uint64_t mask;
};

static inline long sys_sigaction(
	int sig, const struct sys_sigaction *act, struct sys_sigaction *old)
{
	return sys_call4(SYS_rt_sigaction, sig, (long)act, (long)old, SYS_SIGSET);
}

/* rt_sigprocmask(2). `set` and `old` may be NULL; signal sig is bit (1 << (sig - 1)). */
static inline long sys_sigprocmask(int how, const uint64_t *set, uint64_t *old)
{
	return sys_call4(SYS_rt_sigprocmask, how, (long)set, (long)old, SYS_SIGSET);
}

static inline long sys_sigaltstack(const stack_t *ss, stack_t *old)
{
	return sys_call2(SYS_sigaltstack, (long)ss, (long)old);
}

/* ---- descriptors ---- */

static inline ssize_t sys_read(int fd, void *buf, size_t n)
{
	return sys_call3(SYS_read, fd, (long)buf, (long)n);
}

static inline ssize_t sys_write(int fd, const void *buf, size_t n)
{
	return sys_call3(SYS_write, fd, (long)buf, (long)n);
}

static inline long sys_open(const char *path, int flags, mode_t mode)
{
	return sys_call4(SYS_openat, -100 /* AT_FDCWD */, (long)path, flags, (long)mode);
}

static inline long sys_close(int fd)
{
	return sys_call1(SYS_close, fd);
}

static inline long sys_fcntl(int fd, int cmd, long arg)
{
	return sys_call3(SYS_fcntl, fd, cmd, arg);
}

static inline long sys_dup2(int from, int to)
{
	return sys_call2(SYS_dup2, from, to);
}

/* poll(2): timeout in milliseconds, -1 = for ever. */
static inline long sys_poll(struct pollfd *fds, unsigned long n, int timeout)
{
	return sys_call3(SYS_poll, (long)fds, (long)n, timeout);
}

/* ---- the real clocks; simul's own use only, the program sees virtual time ---- */

static inline long sys_clock_gettime(clockid_t clock, struct timespec *ts)
{
	return sys_call2(SYS_clock_gettime, clock, (long)ts);
}

#endif
