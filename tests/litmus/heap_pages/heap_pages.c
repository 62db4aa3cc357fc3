/*
 * memset of 16 bytes that lie in two pages, while another thread copies them. The pages are two events of each call: either half is
 * copied before or after it is set, 2 * 2 = 4 traces. The copy holds what its events say: all four results are
 * looked for, and no other may appear.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static volatile size_t size = 16;
static char pages[8192] __attribute__((aligned(4096)));
static char *const shared = pages + 4096 - 8;
static char copy[16];

static void *set(void *arg)
{
	memset(shared, 1, size);
	return NULL;
}

static void *get(void *arg)
{
	memcpy(copy, shared, size);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, set, NULL);
	pthread_create(&t[1], NULL, get, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < 16; i++)
		if (copy[i] != copy[i / 8 * 8])
			abort();
	return 0;
}
