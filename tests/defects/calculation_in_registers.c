/* Two threads calculate in registers and read the same private parameters repeatedly, always with the same result. This is not polling.
 * check: complete traces=2 : --jobs 1 -- 1000000
 * long: complete traces=2 : --jobs 1 -- 20000000
 */
#include <pthread.h>
#include <stdlib.h>
struct par {
	unsigned mul, add;
};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned sum;
static long n;
static __attribute__((noinline)) unsigned hash(const volatile struct par *p)
{
	unsigned h = 1;
	for (long i = 0; i < n; i++)
		h = h * p->mul + p->add;
	return h;
}
static void *work(void *u)
{
	struct par *p = malloc(sizeof *p);
	*p = (struct par){ 69069, 5 };
	unsigned h = hash(p);
	free(p);
	pthread_mutex_lock(&m);
	sum += h;
	pthread_mutex_unlock(&m);
	return 0;
}
int main(int argc, char **argv)
{
	pthread_t t[2];
	n = argc > 1 ? atol(argv[1]) : 1000;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, work, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	return 0;
}
