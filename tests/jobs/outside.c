/* Performs an operation that other processes can notice, before its threads start or in one of them, as its argument says. */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const char *what;

static void act(void)
{
	int fd;

	if (!strcmp(what, "file")) {
		close(open("outside.file", O_CREAT | O_WRONLY, 0666));
	} else if (!strcmp(what, "read")) {
		close(open("/etc/passwd", O_RDONLY));
	} else if (!strcmp(what, "null")) {
		FILE *f = fopen("/dev/null", "w");

		fprintf(f, "nothing\n");
		fclose(f);
	} else if (!strcmp(what, "socket")) {
		close(socket(AF_INET, SOCK_STREAM, 0));
	} else if (!strcmp(what, "pair")) {
		int pair[2];

		if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) || pipe(pair))
			exit(3);
	} else if (!strcmp(what, "process")) {
		if (system("true"))
			exit(3);
	} else if (!strcmp(what, "lock")) {
		fd = open("/etc/passwd", O_RDONLY);
		flock(fd, LOCK_SH);
		close(fd);
	} else if (!strcmp(what, "semaphore")) {
		sem_t *s = sem_open("/simul-jobs-test", O_CREAT, 0600, 1);

		if (s != SEM_FAILED)
			sem_unlink("/simul-jobs-test");
	} else if (!strcmp(what, "signal")) {
		kill(getppid(), 0);
	} else if (!strcmp(what, "print")) {
		printf("something\n");
	}
}

static void *run(void *arg)
{
	pthread_mutex_lock(&m);
	if (arg)
		act();
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[4];

	what = argc > 1 ? argv[1] : "";
	if (argc > 2)
		act();
	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, run, argc == 2 && i == 3 ? (void *)1 : NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
