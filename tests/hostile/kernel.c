/* System calls, with and without libc, that change how the kernel runs the program, its threads or simul. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/sched.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bug.h"

/* ---- inline system calls ---- */

static long inline_call(long n, long a, long b, long c, long d)
{
	long r;
	register long r10 __asm__("r10") = d;

	__asm__ volatile("syscall" : "=a"(r) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
	return r;
}

/* The parent process if it is simul, else this process, so that no other process is harmed. */
static pid_t simul(void)
{
	char path[64], name[32] = "";
	pid_t parent = getppid();
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)parent);
	fd = open(path, O_RDONLY);
	if (fd < 0 || read(fd, name, sizeof(name) - 1) < 0 || strcmp(name, "simul\n"))
		parent = getpid();
	close(fd);
	return parent;
}

/* ---- limits and scheduling of this process and of simul ---- */

static void all_limits(void)
{
	for (int resource = 0; resource < RLIM_NLIMITS; resource++)
		inline_call(SYS_prlimit64, 0, resource, (long)&(struct rlimit){0, 0}, 0);
}

static void limits(void)
{
	if (is("rl_all"))
		all_limits();
	if (is("rl_cpu_parent"))
		prlimit(simul(), RLIMIT_CPU, &(struct rlimit){0, 0}, NULL);
	if (is("rl_cpu_parent_sys"))
		syscall(SYS_prlimit64, simul(), RLIMIT_CPU, &(struct rlimit){0, 0}, NULL);
	if (is("rl_nofile_parent"))
		prlimit(simul(), RLIMIT_NOFILE, &(struct rlimit){0, 0}, NULL);
	if (is("rl_cpu_parent_child")) {
		pid_t pid = simul();

		if (!fork())
			_exit(prlimit(pid, RLIMIT_CPU, &(struct rlimit){0, 0}, NULL) == 0);
		wait(NULL);
	}
	if (is("deadline")) { /* such a process cannot fork */
		struct {
			unsigned size, policy;
			unsigned long flags;
			int nice;
			unsigned priority;
			unsigned long runtime, deadline, period;
		} a = {sizeof(a), 6, 0, 0, 0, 10000000, 100000000, 100000000};

		syscall(SYS_sched_setattr, 0, &a, 0);
	}
	if (is("idle"))
		sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0});
	if (is("sched_parent"))
		sched_setscheduler(simul(), SCHED_IDLE, &(struct sched_param){0});
}

/* ---- processes ---- */

static long clone3(unsigned long flags, long exit_signal)
{
	struct clone_args a = {.flags = flags, .exit_signal = (unsigned long)exit_signal};

	return inline_call(SYS_clone3, (long)&a, sizeof(a), 0, 0);
}

static void exec_memory(int past_libc)
{
	char *const argv[] = {(char *)"true", NULL}, *const env[] = {NULL};
	char text[4096];
	int fd = memfd_create("true", 0), from = open("/bin/true", O_RDONLY);

	for (ssize_t n; (n = read(from, text, sizeof(text))) > 0;)
		(void)!write(fd, text, (size_t)n);
	if (past_libc)
		inline_call(SYS_execveat, fd, (long)"", (long)argv, (long)env); /* without AT_EMPTY_PATH: fails, or becomes it */
	else
		fexecve(fd, argv, env);
}

static void processes(void)
{
	if (is("clone3_parent") && !clone3(CLONE_PARENT, 0))
		inline_call(SYS_exit_group, 0, 0, 0, 0);
	if (is("clone3_parent_stays") && !clone3(CLONE_PARENT, 0)) {
		inline_call(SYS_pause, 0, 0, 0, 0);
		inline_call(SYS_exit_group, 0, 0, 0, 0);
	}
	if (is("clone3_files") && !clone3(CLONE_FILES | CLONE_FS, SIGCHLD)) {
		inline_call(SYS_close_range, 3, ~0u, 0, 0);
		inline_call(SYS_exit_group, 0, 0, 0, 0);
	}
	if (is("clone3_vfork") && !clone3(CLONE_VM | CLONE_VFORK, SIGCHLD))
		inline_call(SYS_exit_group, 0, 0, 0, 0);
	if (is("vfork_exec") && !vfork()) {
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	if (is("memory_exec"))
		exec_memory(0);
	if (is("memory_exec_inline"))
		exec_memory(1);
	if (is("alarm_fork")) {
		alarm(1);
		if (!fork()) {
			sleep(2);
			_exit(0);
		}
		sleep(3);
	}
	if (is("child_stops")) { /* an independent process */
		pid_t pid = simul();

		if (!fork()) {
			syscall(SYS_kill, pid, SIGSTOP);
			sigqueue(pid, SIGSTOP, (union sigval){0});
			_exit(0);
		}
		wait(NULL);
	}
	if (is("child_writes_shared") && !fork()) { /* a child must not write to simul's memory */
		FILE *f = fopen("/proc/self/maps", "r");
		unsigned long lo, hi;
		char line[400], access[8];

		while (f && fgets(line, sizeof(line), f))
			if (sscanf(line, "%lx-%lx %7s", &lo, &hi, access) == 3 && access[1] == 'w' && access[3] == 's')
				for (unsigned long *p = (unsigned long *)lo; p < (unsigned long *)hi && p < (unsigned long *)lo + 100000; p++)
					*p = 0x4141414141414141;
		_exit(0);
	}
}

/* ---- namespaces, roots and directories ---- */

static void namespaces(void)
{
	if (is("unshare_pid")) {
		if (unshare(CLONE_NEWUSER | CLONE_NEWPID) && unshare(CLONE_NEWPID))
			return;
		if (!fork()) { /* the first process of its namespace: -1 is nobody else */
			if (inline_call(SYS_getpid, 0, 0, 0, 0) == 1)
				inline_call(SYS_kill, -1, SIGKILL, 0, 0);
			_exit(0);
		}
		wait(NULL);
	}
	if (is("unshare_all"))
		unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWPID);
	if (is("hide_proc") && !unshare(CLONE_NEWUSER | CLONE_NEWNS) && !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		(void)!mount("none", "/proc", "tmpfs", 0, NULL);
	if (is("no_directory")) {
		char place[] = "/tmp/simul-hostile-XXXXXX";

		if (mkdtemp(place) && !chdir(place))
			rmdir(place);
	}
}

/* ---- descriptors ---- */

static void descriptors(void)
{
	if (is("close_unshare"))
		close_range(3, ~0u, CLOSE_RANGE_UNSHARE);
	if (is("close_on_exec"))
		inline_call(SYS_close_range, 0, ~0u, CLOSE_RANGE_CLOEXEC, 0);
	if (is("give_away")) { /* sends all descriptors to another process in messages */
		int pair[2];
		union {
			char bytes[CMSG_SPACE(sizeof(int))];
			struct cmsghdr align;
		} control;

		socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
		for (int fd = 3; fd < 40; fd++) {
			char byte = 0;
			struct msghdr m = {.msg_iov = &(struct iovec){&byte, 1}, .msg_iovlen = 1, .msg_control = control.bytes,
				.msg_controllen = sizeof(control.bytes)};
			struct cmsghdr *c = CMSG_FIRSTHDR(&m);

			*c = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
			memcpy(CMSG_DATA(c), &fd, sizeof(fd));
			sendmsg(pair[0], &m, MSG_DONTWAIT);
		}
	}
	if (is("stdio_gone")) {
		close(0);
		close(1);
		close(2);
		open("/dev/full", O_WRONLY);
		open("/dev/full", O_WRONLY);
		open("/dev/full", O_WRONLY);
		printf("hello\n");
		fflush(stdout);
	}
}

/* ---- signals ---- */

static sigjmp_buf place;
static volatile int caught;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void jump(int sig)
{
	siglongjmp(place, 1);
}

static void count(int sig)
{
	caught++;
}

static void *send_usr1(void *to)
{
	pthread_kill(*(pthread_t *)to, SIGUSR1);
	return NULL;
}

static void jump_from(int waiting_for_condition)
{
	pthread_t self = pthread_self(), t;

	signal(SIGUSR1, jump);
	if (waiting_for_condition)
		pthread_mutex_lock(&lock);
	if (!sigsetjmp(place, 1)) {
		pthread_create(&t, NULL, send_usr1, &self);
		if (waiting_for_condition)
			pthread_cond_wait(&never, &lock);
		else
			for (;;)
				pause();
	}
	signal(SIGUSR1, SIG_IGN);
}

static void signals(void)
{
	if (is("queue_flood")) {
		sigset_t all;
		int sent = 0;

		sigfillset(&all);
		pthread_sigmask(SIG_BLOCK, &all, NULL);
		signal(SIGRTMIN, count);
		while (sent < 3000 && !sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = sent}))
			sent++;
		pthread_sigmask(SIG_UNBLOCK, &all, NULL);
	}
	if (is("raise_flood")) {
		signal(SIGUSR1, count);
		for (int i = 0; i < 2000; i++)
			raise(SIGUSR1);
	}
	if (is("jump_from_wait"))
		jump_from(1);
	if (is("jump_from_pause"))
		jump_from(0);
	if (is("timer_flood")) {
		signal(SIGALRM, count);
		setitimer(ITIMER_REAL, &(struct itimerval){{0, 1}, {0, 1}}, NULL);
		for (int i = 0; i < 50; i++)
			usleep(1000);
	}
	if (is("io_signals")) { /* sent by the kernel */
		int pair[2];

		socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
		fcntl(pair[0], F_SETOWN, getpid());
		fcntl(pair[0], F_SETSIG, SIGKILL);
		fcntl(pair[0], F_SETFL, O_ASYNC | O_NONBLOCK);
		(void)!write(pair[1], "x", 1);
	}
	if (is("dead_child_kills") && !clone3(0, SIGKILL)) /* the signal that its end sends */
		inline_call(SYS_exit_group, 0, 0, 0, 0);
}

/* ---- special instructions, and state that the kernel keeps for this thread ---- */

static void machine(void)
{
	if (is("no_tsc"))
		prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
	if (is("no_cpuid"))
		syscall(SYS_arch_prctl, 0x1012, 0);
	if (is("personality"))
		inline_call(SYS_personality, 0x0400000 | 0x0040000 | 0x0100000, 0, 0, 0);
	if (is("strict_sys"))
		inline_call(SYS_seccomp, 0, 0, 0, 0);
	if (is("strict_inline"))
		inline_call(SYS_prctl, PR_SET_SECCOMP, 1, 0, 0);
	if (is("rseq"))
		inline_call(SYS_rseq, 0x1000, 32, 0, 0x53053053);
	if (is("tid_address"))
		inline_call(SYS_set_tid_address, 0x10, 0, 0, 0);
	if (is("robust_list"))
		inline_call(SYS_set_robust_list, 0x10, 24, 0, 0);
	if (is("set_mm"))
		inline_call(SYS_prctl, PR_SET_MM, PR_SET_MM_BRK, 0x10000, 0);
	if (is("remap_pages"))
		inline_call(SYS_remap_file_pages, (long)&x & -4096, 4096, 0, 0);
	if (is("pkey_all")) {
		long key = inline_call(SYS_pkey_alloc, 0, 1, 0, 0);

		inline_call(SYS_pkey_mprotect, (long)&x & -4096, 4096, PROT_READ | PROT_WRITE, key);
	}
	if (is("clear_refs")) {
		int fd = open("/proc/self/clear_refs", O_WRONLY);

		(void)!write(fd, "4", 1);
		(void)!write(fd, "1", 1);
	}
	if (is("no_fork_pages")) {
		inline_call(SYS_madvise, (long)&x & -4096, 4096, MADV_DONTFORK, 0);
		inline_call(SYS_madvise, (long)&x & -4096, 4096, MADV_WIPEONFORK, 0);
	}
	if (is("own_memory_file")) {
		int fd = open("/proc/self/mem", O_RDWR), v = 0;

		(void)!pwrite(fd, &v, sizeof(v), (long)&x);
	}
	if (is("parent_memory_file")) {
		char path[64];
		unsigned long lo, hi, zero[512] = {0};
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%d/maps", (int)simul());
		f = fopen(path, "r");
		snprintf(path, sizeof(path), "/proc/%d/mem", (int)simul());
		int fd = open(path, O_RDWR);

		for (char line[400], access[8]; f && fgets(line, sizeof(line), f);)
			if (sscanf(line, "%lx-%lx %7s", &lo, &hi, access) == 3 && access[1] == 'w')
				for (unsigned long at = lo; at < hi && at < lo + 100 * 4096; at += 4096)
					(void)!pwrite(fd, zero, 4096, (long)at);
	}
	if (is("own_memory_call")) {
		int v = 0;

		process_vm_writev(getpid(), &(struct iovec){&v, 4}, 1, &(struct iovec){(void *)&x, 4}, 1, 0);
	}
}

static void hostile(void)
{
	limits();
	processes();
	namespaces();
	descriptors();
	signals();
	machine();
}
