/* A thread looks at a counter twice, with a gap in between, and must not miss all that two others do. */
#include "window.h"
#define ROUNDS 9
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static int look(void)
{
	pthread_mutex_lock(&lock);
	int n = count;
	pthread_mutex_unlock(&lock);
	return n;
}
static void *looks(void *a)
{
	int first = look();
	window(5);
	assert(first > 0 || look() < 2 * ROUNDS);
	return a;
}
static void *counts(void *a)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&lock);
		count++;
		pthread_mutex_unlock(&lock);
	}
	return a;
}
int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, i ? counts : looks, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
