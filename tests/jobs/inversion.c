/* Two threads can deadlock, and a third one looks. An execution that ended in the deadlock is followed by one whose first states are new. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x, y, seen;

static void *forward(void *unused)
{
	pthread_mutex_lock(&a);
	x++;
	pthread_mutex_lock(&b);
	y++;
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return unused;
}

static void *backward(void *unused)
{
	pthread_mutex_lock(&b);
	y++;
	pthread_mutex_lock(&a);
	x++;
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return unused;
}

static void *look(void *unused)
{
	pthread_mutex_lock(&b);
	if (y == 1)
		seen = x;
	pthread_mutex_unlock(&b);
	return unused;
}

int main(void)
{
	void *(*const start[])(void *) = {forward, backward, look};
	pthread_t t[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, start[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return seen < 0;
}
