/*
 * The start of a process, which copies all
 * memory. No prefix has them. After the prefix they wait until all of it has been performed.
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
