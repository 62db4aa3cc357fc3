/* argv[1] items: a producer computes each for some microseconds and puts it into a queue of 8; a consumer takes it and computes as long. Both wait on
   condition variables. */
#include "timed.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static unsigned long queue[8], sum;
static int n, items;
static unsigned long compute(unsigned long v)
{
	for (int i = 0; i < 5000; i++)
		v = v * 6364136223846793005ul + 1442695040888963407ul;
	return v;
}
static void *produce(void *a)
{
	for (int i = 0; i < items; i++) {
		unsigned long v = compute((unsigned long)i);

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
		sum += compute(v);
	}
	return a;
}
int main(int argc, char **argv)
{
	pthread_t t[2];

	items = atoi(argv[1]);
	time_begin();
	pthread_create(&t[0], NULL, produce, NULL);
	pthread_create(&t[1], NULL, consume, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	time_print();
	return 0;
}
