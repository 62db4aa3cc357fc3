/* Two threads take a lock in turn, and in between files are made, changed, replaced, renamed and removed. How the program ends says its
 * argument: return, abort (in one order only), spin (for ever, so that it is cut), hang (for ever, without a call), long (so many orders that time runs out), crash before
 * the first thread, none (it never creates a thread), map (it writes through a mapping of the file, too).
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const char *how;
static int first, rounds = 1;
static char *mapped;

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0640);
	if (fd < 0 || write(fd, text, strlen(text)) < 0 || close(fd))
		_exit(77);
}

static void change(int i)
{
	if (mapped)
		mapped[i] = 'm';
	put(i ? "made-b" : "made-a", "made");
	put("old", i ? "changed by b" : "changed by a, which writes more");
	chmod("old", 0600);
	mkdir("dir", 0755);
	put("dir/inside", "inside");
	rename("moved", "moved-away");
	unlink("gone");
	symlink("old", "link");
}

static void *work(void *which)
{
	int i = (int)(long)which;
	for (int r = 0; r < rounds; r++) {
		pthread_mutex_lock(&m);
		if (!first)
			first = i + 1;
		pthread_mutex_unlock(&m);
	}
	change(i);
	while (!strcmp(how, "hang"))
		__asm__ volatile("");
	while (!strcmp(how, "spin")) {
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	how = argc > 1 ? argv[1] : "return";
	put("before", "before the first thread");
	rounds = !strcmp(how, "long") ? 40 : 1;
	if (!strcmp(how, "map")) {
		int fd = open("old", O_RDWR);
		mapped = mmap(NULL, 3, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (mapped == MAP_FAILED || close(fd))
			return 77;
	}
	if (!strcmp(how, "crash"))
		abort();
	if (!strcmp(how, "none"))
		return 0;
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	if (!strcmp(how, "abort") && first == 2)
		abort();
	return 0;
}
