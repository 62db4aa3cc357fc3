/* argv[1]: how long T0 computes before it takes a lock. Natively another thread takes it first. A certificate of the
   first execution makes that thread wait until T0 has had it. Prints when the other thread had the lock, and when T0
   had it (CLOCK_MONOTONIC, in nanoseconds). */
#include "timed.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long sum;

static long long take(unsigned long v)
{
	struct timespec now;

	pthread_mutex_lock(&lock);
	clock_gettime(CLOCK_MONOTONIC, &now);
	sum += v;
	pthread_mutex_unlock(&lock);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static void *run(void *a)
{
	*(long long *)a = take(1);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;
	long long other, own;

	pthread_create(&t, NULL, run, &other);
	own = take(compute(1, atoi(argv[1])));
	pthread_join(t, NULL);
	printf("%lld %lld\n", other, own);
	return 0;
}
