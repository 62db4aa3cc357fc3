/*
 * strcpy over a string that another thread measures with strlen. "aaaaaaaa" becomes "bb": the reader sees 8 characters and their
 * terminator, or 2 and theirs. One write, one read, in either order: 2 traces.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char shared[16] = "aaaaaaaa";
static const char *volatile text = "bb";
static char *volatile where = shared;
static volatile size_t len;

static void *set(void *arg)
{
	strcpy(where, text);
	return NULL;
}

static void *get(void *arg)
{
	len = strlen(where);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, set, NULL);
	pthread_create(&t[1], NULL, get, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	if (len != 8 && len != 2)
		abort();
	return 0;
}
