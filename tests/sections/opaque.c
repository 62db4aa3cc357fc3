/*
 * Two sections of a mutex whose common data no access shows. -D says what they share. Their order decides whether an assertion holds, so
 * they must not be steps. PRINT: they print to the standard output, which no thread reads; without common data they are steps.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static FILE *stream;
static int fd;
static int got[2];

#ifdef LIBRARY
int hidden_next(void);
#endif

/* The first handler that runs is the one that was registered last. */
static void first(void)
{
	_exit(0);
}

static void second(void)
{
	abort();
}

static void *section(void *arg)
{
	int me = (int)(intptr_t)arg;
	pthread_mutex_lock(&m);
#if defined(MEMSTREAM) || defined(TMPFILE)
	fputs(me ? "b" : "a", stream);
#elif defined(RAND)
	got[me] = rand();
#elif defined(WRITE)
	assert(write(fd, me ? "b" : "a", 1) == 1);
#elif defined(READ)
	char c = 0;
	assert(read(fd, &c, 1) == 1);
	got[me] = c;
#elif defined(SEEK)
	lseek(fd, me + 1, SEEK_SET);
#elif defined(HANDLER)
	atexit(me ? first : second);
#elif defined(LIBRARY)
	got[me] = hidden_next();
#elif defined(DUPLICATE)
	fputs(me ? "b" : "a", stdout);
#elif defined(PRINT)
	printf("thread %d\n", me);
#endif
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	char *text = NULL, line[3] = "";
	size_t size;
#ifdef MEMSTREAM
	stream = open_memstream(&text, &size);
#elif defined(TMPFILE) || defined(WRITE) || defined(READ) || defined(SEEK) || defined(DUPLICATE)
	stream = tmpfile();
	fd = fileno(stream);
#endif
	(void)size;
#if defined(READ) || defined(SEEK)
	assert(write(fd, "abc", 3) == 3);
	lseek(fd, 0, SEEK_SET);
#elif defined(DUPLICATE)
	dup2(fd, 1);
#endif
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, section, (void *)(intptr_t)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
#ifdef MEMSTREAM
	fflush(stream);
	assert(!strcmp(text, "ab"));
#elif defined(TMPFILE) || defined(WRITE) || defined(DUPLICATE)
	fflush(NULL);
	assert(pread(fd, line, 2, 0) == 2);
	assert(!strcmp(line, "ab"));
#elif defined(RAND)
	int r[2];
	srand(1);
	r[0] = rand();
	r[1] = rand();
	assert(r[0] == got[0] && r[1] == got[1]);
#elif defined(READ) || defined(LIBRARY)
	assert(got[0] < got[1]);
#elif defined(SEEK)
	assert(lseek(fd, 0, SEEK_CUR) == 2);
#endif
	return 0;
}
