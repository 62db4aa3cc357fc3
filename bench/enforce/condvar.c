/* argv[1] items: a producer computes each for some microseconds and puts it into a queue of 8; a consumer takes it and computes as long. Both wait on
   condition variables. */
#include "timed.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static unsigned long queue[8], sum;
static int n, items;
static void *produce(void *a)
{
	for (int i = 0; i < items; i++) {
		unsigned long v = compute((unsigned long)i, 5000);

		pthread_mutex_lock(&lock);
		while (n == 8)
			pthread_cond_wait(&emptied, &lock);
		queue[n++] = v;
		pthread_cond_signal(&filled);
		pthread_mutex_unlock(&lock);
	}
	return a;
}
static void *consume(void *a)
{
	for (int i = 0; i < items; i++) {
		unsigned long v;

		pthread_mutex_lock(&lock);
		while (!n)
			pthread_cond_wait(&filled, &lock);
		v = queue[--n];
		pthread_cond_signal(&emptied);
		pthread_mutex_unlock(&lock);
		sum += compute(v, 5000);
	}
	return a;
}
static void *run(void *a)
{
	return a ? consume(a) : produce(a);
}
int main(int argc, char **argv)
{
	items = atoi(argv[1]);
	timed_threads(2, run);
	return 0;
}
