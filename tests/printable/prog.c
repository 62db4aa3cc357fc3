/* Everything that a reader of its output, its failure and its name should not have to obey. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define HARM "\x1b[2J \x9b" "31m \xc2\x9b \x7f \xe2\x80\xae \xe2\x80\xa8 \xe2\x81\xa6 \xd8\x9c \xff"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

/* Also the name of a function. */
static void *worker(void *unused) __asm__("\"worker\x1b[31m\xe2\x80\xae\"");

static void *worker(void *unused)
{
	pthread_mutex_lock(&lock);
	x++;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;

	puts("harm " HARM);
	fprintf(stderr, "more " HARM "\n");
	pthread_create(&t, NULL, worker, NULL);
	pthread_mutex_lock(&lock);
	if (x && argc < 9) {
		fprintf(stderr, "prog.c:1: main: Assertion `" HARM "' failed.\n");
		abort();
	}
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
