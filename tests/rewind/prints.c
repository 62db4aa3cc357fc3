/* Prints in all ways that leave data in a buffer or move a file offset; fails in some orders, after much output. */
#include <string.h>

#include "check.h"

static int order[4], n;
static char line[100];

static void *body(void *arg)
{
	long me = (long)arg;

	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&check_lock);
		printf("[%ld]", me); /* no newline */
		fprintf(stderr, "<%ld>", me);
		order[n++] = (int)me;
		pthread_mutex_unlock(&check_lock);
	}
	return NULL;
}

int main(void)
{
	printf("before the first thread "); /* in the buffer at the checkpoint */
	memset(line, 'x', sizeof(line) - 1);
	run_two(body);
	for (int i = 0; i < 3000; i++)
		printf("%d %s\n", i, line);
	CHECK(write(1, "written\n", 8) == 8);
	if (order[0] == 1 && order[3] == 0)
		abort();
	printf("the end");
	return 0;
}
