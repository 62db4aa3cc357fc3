/* A thread locks and unlocks a mutex that no other thread uses, more than 10,000 times. It was taken for a thread
 * in a waiting loop, or (with an argument) for one that never ends, and the verdict was that no execution ended.
 * check: complete traces=1 : --jobs 1
 * check: complete traces=1 : --jobs 1 -- counts
 */
#include <pthread.h>
static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int counter;
static void *lock(void *u)
{
	for (int i = 0; i < 20000; i++) {
		pthread_mutex_lock(&mutex[0]);
		pthread_mutex_unlock(&mutex[0]);
	}
	return 0;
}
static void *count(void *u)
{
	for (int i = 0; i < 30000; i++) {
		pthread_mutex_lock(&mutex[0]);
		counter++;
		pthread_mutex_unlock(&mutex[0]);
	}
	return 0;
}
int main(int argc, char **argv)
{
	pthread_t t;
	pthread_create(&t, 0, argc > 1 ? count : lock, 0);
	pthread_mutex_lock(&mutex[1]);
	pthread_mutex_unlock(&mutex[1]);
	return pthread_join(t, 0);
}
