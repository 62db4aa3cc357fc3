/* Three philosophers: each takes the fork on the left, then the one on the right. */
#include "window.h"
enum { SEATS = 3 };
static pthread_mutex_t fork_on[SEATS];
static void *eats(void *a)
{
	int left = (int)(intptr_t)a, right = (left + 1) % SEATS;

	pthread_mutex_lock(&fork_on[left]);
	window(1);
	pthread_mutex_lock(&fork_on[right]);
	pthread_mutex_unlock(&fork_on[right]);
	pthread_mutex_unlock(&fork_on[left]);
	return NULL;
}
int main(void)
{
	pthread_t t[SEATS];

	for (int i = 0; i < SEATS; i++)
		pthread_mutex_init(&fork_on[i], NULL);
	for (int i = 0; i < SEATS; i++)
		pthread_create(&t[i], NULL, eats, (void *)(intptr_t)i);
	for (int i = 0; i < SEATS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
