/*
 * Calls that affect other threads wherever these are: signals, cancellation, and the start of a process, which copies all memory. No prefix has them.
 * After the prefix they wait until all of it has been performed.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "enforce/lib/gate.h"
#include "enforce/lib/hook_process.h"
#include "enforce/lib/real.h"

/* ---- signals ---- */

/* A signal of a thread to itself is no event. A handler that it runs in the prefix would be one, which no certificate has. */
static void signal_thread(pthread_t to, int sig)
{
	if (!pthread_equal(to, pthread_self()))
		gate_all(sig ? "a signal to another thread" : "signal 0 to another thread");
}

static void signal_process(pid_t to, int sig)
{
	if (sig && (to <= 0 || to == gate_pid))
		gate_all("a signal to the process");
}

EXPORT int pthread_kill(pthread_t t, int sig)
{
	signal_thread(t, sig);
	return REAL(pthread_kill)(t, sig);
}

EXPORT int pthread_sigqueue(pthread_t t, int sig, const union sigval value)
{
	signal_thread(t, sig);
	return REAL(pthread_sigqueue)(t, sig, value);
}

EXPORT int tgkill(pid_t process, pid_t thread, int sig)
{
	process_signals_thread(thread);
	return REAL(tgkill)(process, thread, sig);
}

EXPORT int kill(pid_t to, int sig)
{
	signal_process(to, sig);
	return REAL(kill)(to, sig);
}

EXPORT int pthread_cancel(pthread_t t)
{
	gate_all("the cancellation of a thread");
	return REAL(pthread_cancel)(t);
}

EXPORT int killpg(pid_t group, int sig)
{
	signal_process(-1, sig);
	return REAL(killpg)(group, sig);
}

EXPORT int sigqueue(pid_t to, int sig, const union sigval value)
{
	signal_process(to, sig);
	return REAL(sigqueue)(to, sig, value);
}

void process_signals_thread(pid_t thread)
{
	if (thread != (pid_t)REAL(syscall)(SYS_gettid))
		gate_all("a signal to another thread");
}

void process_signals(pid_t to, int sig)
{
	signal_process(to, sig);
}

/* ---- processes ---- */

EXPORT pid_t fork(void)
{
	gate_all("fork");
	return REAL(fork)();
}

EXPORT pid_t _Fork(void)
{
	gate_all("fork");
	return REAL(_Fork)();
}

void *vfork_allowed(void)
{
	gate_all("vfork");
	return (void *)REAL(vfork);
}

EXPORT int posix_spawn(pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *restrict actions,
	const posix_spawnattr_t *restrict attr, char *const argv[restrict], char *const env[restrict])
{
	gate_all("posix_spawn");
	return REAL(posix_spawn)(pid, path, actions, attr, argv, env);
}

EXPORT int posix_spawnp(pid_t *restrict pid, const char *restrict file, const posix_spawn_file_actions_t *restrict actions,
	const posix_spawnattr_t *restrict attr, char *const argv[restrict], char *const env[restrict])
{
	gate_all("posix_spawn");
	return REAL(posix_spawnp)(pid, file, actions, attr, argv, env);
}

EXPORT int system(const char *command)
{
	gate_all("system");
	return REAL(system)(command);
}

EXPORT FILE *popen(const char *command, const char *mode)
{
	gate_all("popen");
	return REAL(popen)(command, mode);
}
