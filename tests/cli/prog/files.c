/* Adds a line to "history", makes "made" and "dir/inside", which must not be there, and "order", which says who was
   first; with "bug" an assertion fails in some schedules; with "loop" there are very many. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int loops = 1, last, times;

static void add(const char *path, const char *mode, const char *text)
{
	FILE *f = fopen(path, mode);

	if (!f) {
		perror(path);
		exit(9);
	}
	fputs(text, f);
	fclose(f);
}

static void *worker(void *arg)
{
	for (int i = 0; i < loops; i++) {
		pthread_mutex_lock(&m);
		last = (int)(long)arg;
		times++;
		add("order", "a", last ? "1" : "0");
		pthread_mutex_unlock(&m);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[3];

	if (argc > 1 && !strcmp(argv[1], "loop"))
		loops = 5;
	add("history", "a", "began\n");
	add("made", "wx", "made\n");
	if (mkdir("dir", 0700)) {
		perror("dir");
		return 9;
	}
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	add("dir/inside", "wx", "inside\n");
	if (argc > 1 && !strcmp(argv[1], "bug"))
		assert(last == 2);
	add("history", "a", "ended\n");
	return 0;
}
