/* Allocates much, before and after the checkpoint; frees across threads; reads the memory that it got. */
#include <string.h>

#include "check.h"

#define N 300

static unsigned char *old[N], *given[2][N];

static size_t size_of(int i) { return 8 + (size_t)(i * i) % 9000; }

static void *body(void *arg)
{
	long me = (long)arg;
	unsigned char *big = calloc(1, 300000);

	for (int i = 0; i < 300000; i++)
		CHECK(big[i] == 0);
	memset(big, 1, 300000);
	for (int i = 0; i < N; i++) {
		given[me][i] = calloc(1, size_of(i));
		for (size_t k = 0; k < size_of(i); k++)
			CHECK(given[me][i][k] == 0);
		memset(given[me][i], (int)me + 1, size_of(i));
		if (i % 3 == 0)
			given[me][i] = realloc(given[me][i], 2 * size_of(i));
		CHECK(given[me][i][size_of(i) - 1] == me + 1);
	}
	for (int i = (int)me; i < N; i += 2) {
		CHECK(old[i][0] == 7 && old[i][size_of(i) - 1] == 7);
		memset(old[i], 9, size_of(i));
		if (i % 5)
			free(old[i]);
	}
	take_turns(3);
	free(big);
	return NULL;
}

int main(void)
{
	for (int i = 0; i < N; i++)
		memset(old[i] = malloc(size_of(i)), 7, size_of(i));
	run_two(body);
	for (int i = 0; i < N; i++) {
		free(given[0][i]);
		free(given[1][N - 1 - i]);
	}
	puts("done");
	return 0;
}
