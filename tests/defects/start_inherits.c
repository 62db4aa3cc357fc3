/* A process that the program starts inherits the working directory, the mask for new files and the limits. Another thread changes them beside the start.
 * Only one order was tried: one trace, complete. With the changes before the thread that starts the process, the program is correct.
 * A change comes before the start or after it: two traces.
 * check: bug kind=assert says=what_processes_inherit replays=2 : -- system directory
 * check: bug kind=assert replays=2 : -- spawn mask
 * check: bug kind=assert : -- popen limit
 * check: bug kind=assert : -- fork directory
 * check: bug kind=assert : -- vfork mask
 * check: bug traces=2 : --keep-going --strategy optimal -- spawn directory
 * check: bug traces=2 : --keep-going --strategy exhaustive -- popen mask
 * check: bug traces=2 : --keep-going --strategy optimal -- fork limit
 * check: complete traces=1 : --strategy optimal -- system directory first
 * check: complete traces=1 : --strategy optimal -- fork mask first
 * check: complete traces=1 : --strategy optimal -- system timer
 */
#include <assert.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static const char *what;

static const char *command(void)
{
	return *what == 'd' ? "test \"$(pwd -P)\" = /" : *what == 'm' ? "test $(umask) = 0022" : "test $(ulimit -t) = 1000";
}

static void set(int old)
{
	if (*what == 'd')
		assert(!chdir(old ? "/" : "/tmp"));
	else if (*what == 'm')
		umask(old ? 022 : 077);
	else if (*what == 'l')
		setrlimit(RLIMIT_CPU, &(struct rlimit){old ? 1000 : 900, RLIM_INFINITY});
	else
		alarm(1000); /* a child inherits no timer */
}

static void *change(void *x)
{
	set(0);
	return x;
}

static int start(const char *how)
{
	char *argv[] = {"sh", "-c", (char *)command(), NULL};
	int status = -1;
	pid_t pid;

	if (*how == 's' && how[1] == 'y')
		return system(command());
	if (*how == 'p')
		return pclose(popen(command(), "r"));
	if (*how == 's')
		assert(!posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ));
	else if (!(pid = *how == 'v' ? vfork() : fork()))
		_exit((execve("/bin/sh", argv, environ), 127));
	assert(waitpid(pid, &status, 0) == pid);
	return status;
}

int main(int argc, char **argv)
{
	int first = argc > 3, status;
	pthread_t t;

	what = argv[2];
	set(1);
	setrlimit(RLIMIT_CPU, &(struct rlimit){1000, RLIM_INFINITY});
	pthread_create(&t, 0, change, 0);
	if (first) {
		pthread_join(t, 0);
		set(1);
	}
	status = start(argv[1]);
	if (!first)
		pthread_join(t, 0);
	assert(status == 0);
}
