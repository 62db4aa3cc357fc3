/* Attacks of a broken or hostile program on its own process and on simul. tests/hostile.sh reads the names from this file. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bug.h"

#define FDS 1024

static jmp_buf place;
static sigjmp_buf masked_place;

/* ---- descriptors ---- */

static void each_descriptor(void (*f)(int))
{
	for (int fd = 0; fd < FDS; fd++)
		f(fd);
}

static void close_it(int fd)
{
	close(fd);
}

static void close_past_libc(int fd)
{
	syscall(SYS_close, fd);
}

static void cut(int fd)
{
	(void)!ftruncate(fd, 0);
}

static void cut_past_libc(int fd)
{
	syscall(SYS_ftruncate, fd, 0);
}

static void cut_by_name(int fd)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	(void)!truncate(path, 0);
}

static void overwrite(int fd)
{
	static char page[4096];

	memset(page, 'A', sizeof(page));
	if (fd > 2)
		(void)!pwrite(fd, page, sizeof(page), 0);
}

static void replace(int fd)
{
	static int null = -1;

	if (null < 0)
		null = open("/dev/null", O_RDWR);
	dup2(null, fd);
}

static void descriptors(void)
{
	if (is("closeall"))
		each_descriptor(close_it);
	if (is("close_sys"))
		each_descriptor(close_past_libc);
	if (is("closerange"))
		close_range(0, ~0u, 0);
	if (is("close_range_sys"))
		syscall(SYS_close_range, 3, ~0u, 0);
	if (is("dup2all"))
		each_descriptor(replace);
	if (is("truncall"))
		each_descriptor(cut);
	if (is("truncsys"))
		each_descriptor(cut_past_libc);
	if (is("truncproc"))
		each_descriptor(cut_by_name);
	if (is("writeall"))
		each_descriptor(overwrite);
	if (is("fdeat"))
		while (open("/dev/null", O_RDONLY) >= 0)
			;
}

/* ---- memory ---- */

/* Calls f for each mapping but that of this text and libc's; `shared`: shared ones only. */
static void each_mapping(void (*f)(void *, size_t), int shared)
{
	static char text[200000];
	int fd = open("/proc/self/maps", O_RDONLY), n = 0, r;

	while ((r = (int)read(fd, text + n, sizeof(text) - 1 - (size_t)n)) > 0)
		n += r;
	text[n] = 0;
	for (char *line = text, *end; *line; line = end + 1) {
		unsigned long lo, hi;
		char access[8];

		end = strchr(line, '\n');
		if (!end)
			return;
		*end = 0;
		sscanf(line, "%lx-%lx %7s", &lo, &hi, access);
		if ((unsigned long)text - lo < hi - lo || strstr(line, "libc.so") || (shared && access[3] != 's'))
			continue;
		f((void *)lo, hi - lo);
	}
}

static void unmap(void *p, size_t n)
{
	munmap(p, n);
}

static void unmap_past_libc(void *p, size_t n)
{
	syscall(SYS_munmap, p, n);
}

static void make_read_only(void *p, size_t n)
{
	mprotect(p, n, PROT_READ);
}

static volatile int deep = 1;

static int recurse(int n)
{
	volatile char frame[4096];

	frame[0] = (char)n;
	return deep ? recurse(n + 1) + frame[0] : n;
}

static void memory(void)
{
	if (is("munmapall"))
		each_mapping(unmap_past_libc, 0);
	if (is("munmapshared"))
		each_mapping(unmap, 1);
	if (is("mprotshared"))
		each_mapping(make_read_only, 1);
	if (is("mlock"))
		mlockall(MCL_CURRENT | MCL_FUTURE);
	if (is("mapeat"))
		for (long i = 0; i < 70000; i++)
			if (mmap(NULL, 4096, i & 1 ? PROT_READ : PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
				break;
	if (is("recurse"))
		recurse(0);
}

/* ---- limits ---- */

static void limit(int resource, rlim_t n)
{
	setrlimit(resource, &(struct rlimit){n, n});
}

static void limits(void)
{
	if (is("rl_as"))
		limit(RLIMIT_AS, 1 << 20);
	if (is("rl_nofile"))
		limit(RLIMIT_NOFILE, 0);
	if (is("rl_nproc"))
		limit(RLIMIT_NPROC, 0);
	if (is("rl_stack"))
		limit(RLIMIT_STACK, 4096);
	if (is("rl_cpu")) {
		limit(RLIMIT_CPU, 1);
		for (volatile long i = 0; i < 3000000000; i++)
			;
	}
	if (is("rl_fsize")) {
		limit(RLIMIT_FSIZE, 0);
		printf("hello\n");
		fflush(stdout);
	}
}

/* ---- processes and signals to them ---- */

static void processes(void)
{
	if (is("killparent"))
		kill(getppid(), SIGKILL);
	if (is("termparent"))
		kill(getppid(), SIGTERM);
	if (is("stopparent"))
		kill(getppid(), SIGSTOP);
	if (is("stopparent_sys"))
		syscall(SYS_kill, getppid(), SIGSTOP);
	if (is("stopparent_child")) {
		pid_t simul = getppid();

		if (!fork())
			_exit(kill(simul, SIGSTOP) == 0);
	}
	if (is("ptraceparent"))
		ptrace(PTRACE_ATTACH, getppid(), 0, 0);
	if (is("ptraceparent_sys"))
		syscall(SYS_ptrace, PTRACE_ATTACH, getppid(), 0, 0);
	if (is("ptraceme"))
		ptrace(PTRACE_TRACEME, 0, 0, 0);
	if (is("killpg"))
		kill(0, SIGKILL);
	if (is("killself"))
		kill(getpid(), SIGKILL);
	if (is("stopself"))
		raise(SIGSTOP);
	if (is("pdeath"))
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (is("nodump"))
		prctl(PR_SET_DUMPABLE, 0);
	if (is("setsid"))
		setsid();
	if (is("setuid"))
		(void)!setuid(65534);
	if (is("forkbomb"))
		for (int i = 0; i < 4; i++)
			fork();
	if (is("forkdetach") && !fork()) {
		setsid();
		if (!fork())
			sleep(8);
		_exit(0);
	}
	if (is("clonesys"))
		syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (is("vforksys") && !syscall(SYS_vfork))
		syscall(SYS_exit_group, 0);
	if (is("waitany"))
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
}

/* ---- threads that never continue ---- */

static void endless(void)
{
	if (is("spin"))
		for (volatile int i = 0;;)
			i++;
	if (is("spinsys"))
		for (;;)
			syscall(SYS_getpid);
	if (is("spinblock")) {
		sigset_t all;

		sigfillset(&all);
		sigprocmask(SIG_BLOCK, &all, NULL);
		syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, 0, 8);
		for (volatile int i = 0;;)
			i++;
	}
	if (is("spinign")) {
		for (int sig = 1; sig < 65; sig++)
			syscall(SYS_rt_sigaction, sig, (unsigned long[4]){1}, 0, 8);
		for (volatile int i = 0;;)
			i++;
	}
	if (is("pauseraw"))
		syscall(SYS_pause);
	if (is("huge")) {
		static char much[1 << 20];

		memset(much, 'z', sizeof(much));
		for (int i = 0; i < 256; i++)
			(void)!write(1, much, sizeof(much));
	}
}

/* ---- simul's settings in the process ---- */

static void filter(int action)
{
	struct sock_filter f[] = {{BPF_RET | BPF_K, 0, 0, (unsigned)action}};
	struct sock_fprog program = {1, f};

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void set_up(void)
{
	if (is("strict"))
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	if (is("seccompall"))
		filter((int)(SECCOMP_RET_ERRNO | EPERM));
	if (is("seccompkill"))
		filter((int)SECCOMP_RET_KILL_PROCESS);
	if (is("nosud"))
		syscall(SYS_prctl, 59, 0, 0, 0, 0);
	if (is("fsbase"))
		syscall(SYS_arch_prctl, 0x1002, 0);
	if (is("gsbase"))
		syscall(SYS_arch_prctl, 0x1001, 0x1000);
	if (is("preload"))
		setenv("LD_PRELOAD", "/nonexistent.so", 1);
	if (is("clearenv"))
		clearenv();
	if (is("environ0"))
		environ = NULL;
	if (is("chroot"))
		(void)!chroot(".");
	if (is("umask"))
		umask(0777);
	if (is("unshare"))
		unshare(CLONE_FILES | CLONE_FS);
	if (is("altstack0"))
		sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
	if (is("altstacksys")) {
		syscall(SYS_sigaltstack, &(stack_t){.ss_flags = SS_DISABLE}, 0);
		recurse(0);
	}
}

/* ---- ends; those named end0... pass natively ---- */

static void ends(void)
{
	char *const argv[] = {(char *)"true", NULL}, *const env[] = {NULL};

	if (is("exectrue"))
		execl("/bin/true", "true", NULL);
	if (is("execfalse"))
		execl("/bin/false", "false", NULL);
	if (is("execself"))
		execl("/proc/self/exe", "hostile", "none", NULL);
	if (is("execsys"))
		syscall(SYS_execve, "/bin/true", argv, env);
	if (is("execatsys"))
		syscall(SYS_execveat, AT_FDCWD, "/bin/true", argv, env, 0);
	if (is("execinline")) {
		long r;

		__asm__ volatile("syscall" : "=a"(r) : "a"(SYS_execve), "D"("/bin/true"), "S"(argv), "d"(env) : "rcx", "r11", "memory");
	}
	if (is("exitthread"))
		syscall(SYS_exit, 0);
	if (is("end0"))
		_exit(0);
	if (is("end0sys"))
		syscall(SYS_exit_group, 0);
	if (is("end0inline"))
		__asm__ volatile("syscall" : : "a"(SYS_exit_group), "D"(0) : "rcx", "r11", "memory");
	if (is("end0quick"))
		quick_exit(0);
	if (is("end0handlers"))
		exit(0);
}

/* ---- signals to itself ---- */

static void jump(int sig)
{
	siglongjmp(masked_place, sig);
}

static void jump_plainly(int sig)
{
	longjmp(place, sig);
}

static void touch_null(void)
{
	*(volatile int *)8 = 1;
}

static void signals(void)
{
	if (is("segvign")) {
		signal(SIGSEGV, SIG_IGN);
		touch_null();
	}
	if (is("segvjmp")) {
		signal(SIGSEGV, jump);
		if (!sigsetjmp(masked_place, 1))
			touch_null();
	}
	if (is("segvraw")) {
		syscall(SYS_rt_sigaction, SIGSEGV, (unsigned long[4]){(unsigned long)jump, 0x0c000000, 0, 0}, 0, 8);
		if (!sigsetjmp(masked_place, 1))
			touch_null();
	}
	if (is("segvdfl")) {
		syscall(SYS_rt_sigaction, SIGSEGV, (unsigned long[4]){0}, 0, 8);
		touch_null();
	}
	if (is("raisesys"))
		raise(SIGSYS);
	if (is("raisehang"))
		raise(SIGRTMAX - 2);
	if (is("killhang"))
		syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGRTMAX - 2);
	if (is("raiseall"))
		for (int sig = 1; sig < 65; sig++) {
			if (sig == SIGKILL || sig == SIGSTOP)
				continue;
			signal(sig, SIG_IGN);
			raise(sig);
		}
	if (is("longjmp")) {
		signal(SIGUSR1, jump_plainly);
		if (!setjmp(place))
			raise(SIGUSR1);
	}
	if (is("int3"))
		__asm__ volatile("int3");
	if (is("ud2"))
		__builtin_trap();
}

static void hostile(void)
{
	descriptors();
	memory();
	limits();
	processes();
	endless();
	set_up();
	ends();
	signals();
}
