/*
 * Child processes. They run natively: the library stays loaded in them, but it is passive. Starting a child and waiting for one are events
 * on one object, which stands for the table of children.
 *
 * The hook calls glibc's fork on the current fiber. The child has only the calling thread, as POSIX requires. The fiber has its own glibc
 * stack and TLS, so glibc's child handler correctly reclaims the stacks of the other threads.
 */
#include "preload/base/real.h"
#include "preload/base/thread.h"
#include "preload/modules/sensors.h"

#include <errno.h>
#include <gnu/libc-version.h>
#include <pty.h>
#include <stdio.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/accesses/ranges.h"
#include "preload/control/ctl.h"
#include "preload/control/thread_pointer.h"
#include "preload/control/exceptions.h"
#include "preload/hooks/children.h"
#include "preload/hooks/fd_io.h"
#include "preload/base/guard.h"
#include "preload/hooks/keys.h"
#include "preload/accesses/mem.h"
#include "preload/kernel/child_signals.h"
#include "preload/kernel/descriptors.h"
#include "preload/kernel/fork_advice.h"
#include "preload/kernel/process.h"
#include "preload/kernel/resources.h"
#include "preload/life/rewind.h"
#include "preload/memory/child_reads.h"
#include "preload/life/worker.h"
#include "preload/kernel/signals.h"
#include "preload/base/sys.h"
#include "preload/hooks/environment_reads.h"

#include "preload/base/rules.h"

static bool native_child; /* this process is a native fork of a controlled one */

/* ---- pids and thread ids ---- */

/* Executions run in forks of the process that was started. The program must see the same pid in all of them. */
pid_t getpid(void)
{
	return ctl_state == CTL_ON ? process_pid() : sys_getpid();
}

pid_t __getpid(void)
{
	return getpid();
}

pid_t gettid(void)
{
	return ctl_state == CTL_ON ? process_tid() : sys_gettid();
}

static pid_t parent; /* parent of the process that the supervisor started */

static void __attribute__((constructor(103))) note_parent(void)
{
	parent = (pid_t)sys_call0(SYS_getppid);
}

pid_t getppid(void)
{
	return ctl_state == CTL_ON ? parent : (pid_t)sys_call0(SYS_getppid);
}

/* ---- native children ---- */

void children_note_native_thread(void)
{
	if (ctl_session && (native_child || ctl_session->ctl.requests.main_pid != sys_getpid()))
		__atomic_add_fetch(&ctl_session->ctl.facts.native_children, 1, __ATOMIC_RELAXED);
}

void children_note_timer(void)
{
	if (native_child)
		ctl_session->ctl.facts.child_timers = 1;
}

void ctl_become_native(void)
{
	if (ctl_state != CTL_ON)
		return;
	signals_become_native();
	keys_become_native();
	descriptors_become_native();
	sensors_release();
	guard_open();
	guard_native(ctl_session);
	ctl_state = CTL_OFF;
	mem_on = false;
	native_child = true;
	fork_advice_follow();
	child_reads_begin();
}

/* The event on the table of children. */
static struct op on_children(enum event_kind kind, const void *pc)
{
	struct op op = ctl_op(kind, pc);

	op.obj[0] = process_object();
	return op;
}

/* Performs it. */
static void starting(struct op *op)
{
	rewind_taint("start processes");
	outside_note("starts processes");
	reads_all();
	process_started = true;
	ctl_perform(op);
}

/* The event before a program is started. It inherits descriptors that exec does not close; actions can use others. */
static void starting_program(const posix_spawn_file_actions_t *actions, const void *pc)
{
	struct op op = on_children(EV_FD_OTHER, pc);

	resources_started(&op, actions && actions->__used);
	starting(&op);
}

void children_forking(const void *pc)
{
	struct op op = on_children(child_reads_kind(), pc);

	resources_started(&op, true);
	starting(&op);
	thread_pointer_need(); /* libc blocks signals */
	if (!child_reads_forked(ctl_self(), (uintptr_t)pc))
		except_for(EXCEPT_FORK, (uintptr_t)pc);
}

/* glibc before 2.36 holds a lock while it runs fork handlers: if another thread ran and forked meanwhile, the process would hang. */
static bool handlers_without_lock(void)
{
	int major = 0, minor = 0;

	sscanf(gnu_get_libc_version(), "%d.%d", &major, &minor);
	return major > 2 || minor >= 36;
}

/* Runs after the program's handlers and directly before the fork. Handlers take locks, so they are no part of the event. */
static void fork_comes(void)
{
	const void *pc = ctl_state == CTL_ON && fiber_cur ? fiber_cur->fork_pc : NULL;

	if (!pc || !ctl_enter())
		return;
	fiber_cur->fork_pc = NULL;
	children_forking(pc);
	ctl_leave();
}

/* Registers the first fork handlers: the last one that runs before a fork, and the first one that runs in a child. The program's own handlers in
   the child run without control. */
static void __attribute__((constructor(102))) watch_forks(void)
{
	pthread_atfork(handlers_without_lock() ? fork_comes : NULL, NULL, ctl_become_native);
}

/* ---- fork ---- */

/* Call it before libc forks. handlers: libc runs the handlers of pthread_atfork. Returns false in a process without control. */
static bool fork_begins(bool handlers, const void *pc)
{
	if (!ctl_enter())
		return false;
	if (handlers && handlers_without_lock())
		fiber_cur->fork_pc = pc;
	else
		children_forking(pc);
	ctl_leave();
	return true;
}

/* Call it with the result of a fork that began under control. */
static pid_t forked(pid_t pid)
{
	if (pid == 0)
		ctl_become_native();
	else
		fiber_cur->fork_pc = NULL;
	if (pid > 0)
		child_signals_started(pid);
	return pid;
}

/* In the parent, the program's fork handlers run under control. In the child they do not. */
static pid_t do_fork(pid_t (*real)(void), const void *pc)
{
	return fork_begins(real != real__Fork, pc) ? forked(real()) : real();
}

pid_t fork(void)
{
	return do_fork(real_fork, __builtin_return_address(0));
}

pid_t __fork(void)
{
	return do_fork(real_fork, __builtin_return_address(0));
}

pid_t _Fork(void)
{
	return do_fork(real__Fork, __builtin_return_address(0));
}

/* A vfork is performed as a fork. All that a child may do between vfork and exec also works in the child of a fork. */
pid_t vfork(void)
{
	return do_fork(real_fork, __builtin_return_address(0));
}

pid_t __vfork(void)
{
	return do_fork(real_fork, __builtin_return_address(0));
}

pid_t forkpty(int *master, char *name, const struct termios *tio, const struct winsize *size)
{
	if (!fork_begins(true, __builtin_return_address(0)))
		return real_forkpty(master, name, tio, size);
	return forked(real_forkpty(master, name, tio, size));
}

/* ---- spawn, system, popen ---- */

typedef int (*spawn_fn)(pid_t *, const char *, const posix_spawn_file_actions_t *,
	const posix_spawnattr_t *, char *const *, char *const *);

static int do_spawn(spawn_fn real, pid_t *pid, const char *path,
	const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr, char *const *argv,
	char *const *envp)
{
	pid_t started;

	signals_native_begin();
	int r = real(&started, path, actions, attr, argv, envp);

	signals_native_end();
	if (r)
		return r;
	child_signals_started(started);
	if (pid)
		*pid = started;
	return 0;
}

int posix_spawn(pid_t *restrict pid, const char *restrict path,
	const posix_spawn_file_actions_t *restrict actions, const posix_spawnattr_t *restrict attr,
	char *const *restrict argv, char *const *restrict envp)
{
	if (!ctl_enter())
		return real_posix_spawn(pid, path, actions, attr, argv, envp);
	starting_program(actions, __builtin_return_address(0));
	return (int)fd_done(do_spawn(real_posix_spawn, pid, path, actions, attr, argv, envp));
}

int posix_spawnp(pid_t *restrict pid, const char *restrict path,
	const posix_spawn_file_actions_t *restrict actions, const posix_spawnattr_t *restrict attr,
	char *const *restrict argv, char *const *restrict envp)
{
	if (!ctl_enter())
		return real_posix_spawnp(pid, path, actions, attr, argv, envp);
	starting_program(actions, __builtin_return_address(0));
	return (int)fd_done(do_spawn(real_posix_spawnp, pid, path, actions, attr, argv, envp));
}

static long do_wait4(pid_t pid, int *status, int options, struct rusage *ru, const void *pc);

int system(const char *command)
{
	const char *argv[] = {"sh", "-c", command, NULL};
	const void *pc = __builtin_return_address(0);
	int status = 0;
	pid_t pid;

	if (!command || !ctl_enter())
		return real_system(command);
	starting_program(NULL, pc);
	uint64_t mask = signals_mask(ctl_self());

	if (do_spawn(real_posix_spawn, &pid, "/bin/sh", NULL, NULL, (char *const *)argv, environ))
		return (int)fd_done(127 << 8);
	long r;

	signals_before_mask(mask | SIG_BIT(SIGCHLD), pc);
	signals_set_mask(mask | SIG_BIT(SIGCHLD));
	do
		r = do_wait4(pid, &status, 0, NULL, pc);
	while (r == -EINTR);
	signals_set_mask_and_run(mask);
	return (int)(r < 0 ? hook_fail((int)-r) : fd_done(status));
}

FILE *popen(const char *command, const char *mode)
{
	if (!ctl_enter())
		return real_popen(command, mode);
	starting_program(NULL, __builtin_return_address(0));
	signals_native_begin();
	FILE *f = real_popen(command, mode);
	int err = errno;

	signals_native_end();
	if (f) {
		child_signals_started_some();
		fd_forget(fileno(f));
	}
	errno = err;
	ctl_leave();
	return f;
}

FILE *_IO_popen(const char *command, const char *mode)
{
	return popen(command, mode);
}

/* libc waits for the child in the kernel, which stops all threads of the program. */
int pclose(FILE *f)
{
	if (!ctl_enter())
		return real_pclose(f);
	const void *pc = __builtin_return_address(0);
	struct op op = on_children(EV_FD_OTHER, pc);

	starting(&op);
	fd_forget(fileno(f));
	int r = real_pclose(f), error = errno;

	if (r != -1)
		child_signals_reaped_some(pc);
	errno = error;
	return (int)fd_done(r);
}

/* ---- wait ---- */

/* Waits until a child is ready; with WNOHANG it does not wait. Returns false when a signal handler interrupted the wait. */
static bool await_child(struct child_wait *w, const void *pc)
{
	struct op op = ctl_op(EV_PROCESS_WAIT, pc);

	w->began = process_real_time();
	op.obj[0] = process_object();
	op.arg[0] = (uintptr_t)w;
	op.flags = OPF_CANCELPOINT | (w->options & WNOHANG ? OPF_TIMED : 0);
	if ((w->options & WNOHANG ? ctl_perform(&op) : signals_perform(&op, true)) == CTL_EINTR)
		return false;
	if (w->options & WNOHANG)
		process_ready_in_time(w, op.pc);
	return true;
}

static long do_wait4(pid_t pid, int *status, int options, struct rusage *ru, const void *pc)
{
	struct child_wait w = {
		.idtype = pid == -1 ? P_ALL : pid > 0 ? P_PID : P_PGID,
		.id = pid > 0 ? (id_t)pid : pid < -1 ? (id_t)-pid : 0,
		.options = WEXITED | (options & (WNOHANG | WUNTRACED | WCONTINUED)),
	};

	siginfo_t info = {.si_pid = 0};

	if (!await_child(&w, pc))
		return -EINTR;
	if (!sys_waitid(w.idtype, w.id, &info, w.options | WNOHANG | WNOWAIT, NULL) && info.si_pid)
		pid = info.si_pid;
	long r = sys_wait4(pid, status, options, ru);

	if (r > 0)
		child_signals_reaped(&info, pc);
	return r;
}

/* *status and *ru are written after the wait, so their writes are reported after it. */
static pid_t waited(pid_t pid, int *status, int options, struct rusage *ru, const void *pc)
{
	struct rusage usage;
	int ended;
	long r = do_wait4(pid, &ended, options, &usage, pc);

	if (r < 0)
		return hook_fail((int)-r);
	fd_done(r);
	if (r > 0 && status)
		range_put(status, &ended, sizeof(ended), (uintptr_t)pc);
	if (r > 0 && ru)
		range_put(ru, &usage, sizeof(usage), (uintptr_t)pc);
	return (pid_t)r;
}

pid_t wait(int *status)
{
	return ctl_enter() ? waited(-1, status, 0, NULL, __builtin_return_address(0)) : real_wait(status);
}

pid_t __wait(int *status)
{
	return ctl_enter() ? waited(-1, status, 0, NULL, __builtin_return_address(0)) : real_wait(status);
}

pid_t waitpid(pid_t pid, int *status, int options)
{
	if (!ctl_enter())
		return real_waitpid(pid, status, options);
	return waited(pid, status, options, NULL, __builtin_return_address(0));
}

pid_t __waitpid(pid_t pid, int *status, int options)
{
	if (!ctl_enter())
		return real_waitpid(pid, status, options);
	return waited(pid, status, options, NULL, __builtin_return_address(0));
}

pid_t wait3(int *status, int options, struct rusage *ru)
{
	if (!ctl_enter())
		return real_wait3(status, options, ru);
	return waited(-1, status, options, ru, __builtin_return_address(0));
}

pid_t wait4(pid_t pid, int *status, int options, struct rusage *ru)
{
	if (!ctl_enter())
		return real_wait4(pid, status, options, ru);
	return waited(pid, status, options, ru, __builtin_return_address(0));
}

int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	struct child_wait w = {.idtype = (int)type, .id = id, .options = options};
	const void *pc = __builtin_return_address(0);
	siginfo_t got = {0};

	if (!ctl_enter())
		return real_waitid(type, id, info, options);
	if (!await_child(&w, pc))
		return hook_fail(EINTR);
	long r = sys_waitid((int)type, id, &got, options, NULL);

	if (r < 0)
		return hook_fail((int)-r);
	if (got.si_pid && !(options & WNOWAIT))
		child_signals_reaped(&got, pc);
	fd_done(r);
	if (info) /* the kernel writes no field after this one */
		range_put(info, &got, offsetof(siginfo_t, si_status) + sizeof(got.si_status), (uintptr_t)pc);
	return (int)r;
}
