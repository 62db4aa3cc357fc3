/*
 * The process around the threads: the sanitizer's own runtime is nowhere, libc functions that it would have taken are the
 * newest ones, and a child process, in which nothing is controlled, has real threads and real atomics.
 */
#include <glob.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define MUST(c)                                                                                    \
	do {                                                                                       \
		if (!(c)) {                                                                        \
			fprintf(stderr, "line %d: not %s\n", __LINE__, #c);                        \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

extern char **environ;
static long counter;

static void *count(void *arg)
{
	for (int i = 0; i < 100000; i++)
		__atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
	return arg;
}

static void *nothing(void *arg)
{
	return arg;
}

static void check_maps(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[4096];

	MUST(f);
	while (fgets(line, sizeof(line), f))
		if (strstr(line, "tsan") && strstr(line, "/usr/lib")) {
			fprintf(stderr, "%s", line);
			exit(1);
		}
	fclose(f);
}

int main(int argc, char **argv)
{
	pthread_t t[4];

	check_maps();
	if (argc > 1) {
		for (int i = 0; i < 4; i++)
			MUST(!pthread_create(&t[i], 0, count, 0));
		for (int i = 0; i < 4; i++)
			MUST(!pthread_join(t[i], 0));
		MUST(counter == 400000);
		return 0;
	}
	char *path = realpath("/proc/self/../self", NULL); /* the oldest version wants a buffer */
	char *args[] = {argv[0], "child", NULL};
	pid_t pid;
	int status;

	MUST(path && strncmp(path, "/proc/", 6) == 0);
	free(path);
	MUST(!posix_spawn(&pid, argv[0], NULL, NULL, args, environ));
	MUST(waitpid(pid, &status, 0) == pid && status == 0);
	MUST(!pthread_create(&t[0], 0, nothing, 0));
	MUST(!pthread_join(t[0], 0));
	return 0;
}
