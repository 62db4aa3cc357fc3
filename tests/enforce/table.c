/* argv[1] threads put four numbers each into a table of 128 by compare-and-swap; from the twelfth on they collide. */
#include "window.h"
static int table[128];
static void *put(void *a)
{
	for (int m = 1; m <= 4; m++) {
		int w = m * 11 + (int)(intptr_t)a, h = w * 7 % 128, empty = 0;

		while (!__atomic_compare_exchange_n(&table[h], &empty, w, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
			h = (h + 1) % 128;
			empty = 0;
		}
	}
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t t[32];
	int n = atoi(argv[1]), found = 0;

	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, put, (void *)(intptr_t)i);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < 128; i++)
		found += table[i] != 0;
	assert(found == 4 * n);
	return 0;
}
