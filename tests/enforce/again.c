/* A shared block that grows by realloc into another place, and one that is freed and allocated again by calloc. Allocating and copying are no events. */
#include "window.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *block;
static void *add(void *a)
{
	__atomic_fetch_add(&block[0], 1, __ATOMIC_SEQ_CST);
	return a;
}
static void *last(void *a)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return a;
}
int main(void)
{
	block = calloc(16, sizeof(int));
	run_two(add, add);
	block = realloc(block, 4000);
	run_two(add, add);
	assert(block[0] == 4);
	free(block);
	block = calloc(1000, sizeof(int));
	run_two(add, add);
	assert(block[0] == 2);
	free(block);
	run_two(last, last);
	return 0;
}
