/* printf, snprintf, malloc and functions with buffers for each thread, between steps. */
#include "own.h"

static void *thread(void *arg)
{
	char text[64], *copy;
	step();
	printf("thread %ld\n", (long)arg);
	snprintf(text, sizeof(text), "%s %ld %.3f", strerror((int)(long)arg), (long)arg, 0.5);
	copy = strdup(text);
	step();
	assert(copy && !strcmp(copy, text));
	free(copy);
	return NULL;
}

int main(void)
{
	in_threads(thread);
	return 0;
}
