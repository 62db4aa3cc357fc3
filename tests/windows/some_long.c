/* Most executions are too long, and some end soon: a thread that comes before the flag is set makes 200,000
 * operations. */
#include <pthread.h>
#define ROUNDS 100000
#define THREADS 4
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int set, work[THREADS];
static void *look(void *mine)
{
	pthread_mutex_lock(&mutex);
	int seen = set;
	pthread_mutex_unlock(&mutex);
	for (int i = 0; !seen && i < ROUNDS; i++) {
		pthread_mutex_lock(&mutex);
		++*(int *)mine;
		pthread_mutex_unlock(&mutex);
	}
	return 0;
}
int main(void)
{
	pthread_t t[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], 0, look, &work[i]);
	pthread_mutex_lock(&mutex);
	set = 1;
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], 0);
	return 0;
}
