/* A child at the other end of a pipe: reading waits for it, and ends when it ends. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int fds[2];

static void *reader(void *arg)
{
	char buf[16];
	size_t got = 0;
	ssize_t n;

	while ((n = read(fds[0], buf + got, sizeof buf - got)) > 0)
		got += (size_t)n;
	assert(n == 0 && got == 5 && memcmp(buf, "child", 5) == 0);
	return NULL;
}

int main(void)
{
	pthread_t t;
	int status;

	assert(pipe(fds) == 0);
	assert(pthread_create(&t, NULL, reader, NULL) == 0);
	pid_t pid = fork();
	if (pid == 0) {
		usleep(20000);
		_exit(write(fds[1], "child", 5) == 5 ? 0 : 1);
	}
	close(fds[1]);
	assert(waitpid(pid, &status, 0) == pid && status == 0);
	pthread_join(t, NULL);
	return 0;
}
