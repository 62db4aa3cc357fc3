/* More libraries than can be patched when they are reached. simul said that the search was complete, and did not mention the libraries whose
 * accesses it had not seen.
 * build: mkdir -p @DIR@/away && gcc -O1 -shared -fPIC -DLIBRARY @SRC@ -o @DIR@/away/l.so && gcc -g -O1 -pthread -DAWAY='"@DIR@/away/l.so"' @SRC@ -o @OUT@
 * check: complete says=too_many_libraries : -- 140
 * check: complete never=except_for : -- 20
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <unistd.h>

#ifdef LIBRARY
int counter;

void count(void)
{
	counter++;
}
#else
static void (*function[140])(void);
static int libraries;

static void *call_all(void *arg)
{
	for (int i = 0; i < libraries; i++)
		function[i]();
	return arg;
}

static void *idle(void *arg)
{
	return arg;
}

/* Loads copy number i of the library, which is another library for the dynamic linker. */
static void *load(int i)
{
	char name[1024];
	snprintf(name, sizeof(name), "%s.%d", AWAY, i);
	int from = open(AWAY, O_RDONLY), to = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0700);

	while (sendfile(to, from, NULL, 1 << 20) > 0)
		;
	close(from);
	close(to);
	return dlopen(name, RTLD_NOW);
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	libraries = atoi(argv[1]);
	for (int i = 0; i < libraries; i++)
		function[i] = (void (*)(void))dlsym(load(i), "count");
	pthread_create(&t[0], NULL, call_all, NULL);
	pthread_create(&t[1], NULL, idle, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
#endif
