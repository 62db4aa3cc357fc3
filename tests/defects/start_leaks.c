/* A thread makes a pipe, starts a program that writes to it, closes its own end, and waits for the program. Then it reads up to the end of file. Another thread
 * starts a program meanwhile, which inherits the end for writing, too, and lives until its own standard input ends. So there is no end of file. Only one order was
 * tried. With O_CLOEXEC the program is correct. If the flag is set after the pipe was made, the other program can be started in between.
 * check: bug kind=assert replays=2 : -- leak
 * check: bug kind=assert : -- late
 * check: bug kind=assert : -- dup
 * check: bug kind=assert : -- fork
 * check: complete : --strategy optimal -- cloexec
 * check: complete : --strategy optimal -- cloexec_dup
 * check: complete : --strategy optimal -- lock
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static const char *what;
static int hold[2], ready[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static pid_t start(const char *command, int out, int in)
{
	char byte;

	char *argv[] = {"sh", "-c", (char *)command, NULL};
	posix_spawn_file_actions_t actions;
	pid_t pid;

	if (*what == 'f') { /* a child that does the same without exec has all descriptors */
		if (!(pid = fork())) {
			close(hold[1]);
			_exit((out >= 0 && write(out, "x", 1) != 1) || (in >= 0 && read(in, &byte, 1) != 0));
		}
		return pid;
	}
	posix_spawn_file_actions_init(&actions);
	if (out >= 0)
		posix_spawn_file_actions_adddup2(&actions, out, 1);
	if (in >= 0)
		posix_spawn_file_actions_adddup2(&actions, in, 0);
	assert(!posix_spawn(&pid, "/bin/sh", &actions, NULL, argv, environ));
	posix_spawn_file_actions_destroy(&actions);
	return pid;
}

/* cat ends when the other thread closes hold[1]. */
static void *other(void *pid)
{
	char byte;

	if (*what == 'l' && what[1] == 'o')
		pthread_mutex_lock(&m);
	*(pid_t *)pid = start("echo; exec cat", ready[1], hold[0]);
	assert(read(ready[0], &byte, 1) == 1); /* the kernel has closed what exec closes */
	if (*what == 'l' && what[1] == 'o')
		pthread_mutex_unlock(&m);
	return NULL;
}

int main(int argc, char **argv)
{
	pid_t pid, cat;
	pthread_t t;
	char byte;
	int fd[2], got, locks;

	what = argv[1];
	locks = !strcmp(what, "lock");
	assert(!pipe2(hold, O_CLOEXEC) && !pipe2(ready, O_CLOEXEC));
	pthread_create(&t, 0, other, &cat);
	if (locks)
		pthread_mutex_lock(&m);
	assert(!(*what == 'c' || *what == 'd' || *what == 'f' ? pipe2(fd, O_CLOEXEC) : pipe(fd)));
	if (*what == 'd') { /* the duplicate has the flag no longer */
		int copy = dup(fd[1]);
		close(fd[1]);
		fd[1] = copy;
	}
	if (!strcmp(what, "cloexec_dup")) {
		int copy = fcntl(fd[1], F_DUPFD_CLOEXEC, 0);
		close(fd[1]);
		fd[1] = copy;
	}
	if (!strcmp(what, "late"))
		fcntl(fd[1], F_SETFD, FD_CLOEXEC);
	pid = start("echo", fd[1], -1);
	close(fd[1]);
	if (locks)
		pthread_mutex_unlock(&m);
	assert(waitpid(pid, 0, 0) == pid);
	pthread_join(t, 0);
	fcntl(fd[0], F_SETFL, O_NONBLOCK);
	while ((got = read(fd[0], &byte, 1)) == 1)
		;
	assert(got == 0); /* the end of file */
	close(hold[1]);
	assert(waitpid(cat, 0, 0) == cat);
}
