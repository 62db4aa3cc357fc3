/* It fails if the third thread locks first, and that one comes first; the second one comes next. Prints the order. */
#include "window.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first, order[3], n;
static void *work(void *a)
{
	int me = (int)(intptr_t)a;

	window(3 - me);
	pthread_mutex_lock(&lock);
	if (!first)
		first = me;
	order[n++] = me;
	pthread_mutex_unlock(&lock);
	return a;
}
int main(void)
{
	pthread_t t[3];

	for (intptr_t i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, (void *)(i + 1));
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%d %d %d\n", order[0], order[1], order[2]);
	assert(first != 3);
	return 0;
}
