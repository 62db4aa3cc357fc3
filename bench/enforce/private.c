/* argv[1] threads that compute by themselves, and add what they have to one number at the end. */
#include "timed.h"
static unsigned long sum;
static void *run(void *a)
{
	unsigned long v = (unsigned long)a;

	for (int i = 0; i < 20000000; i++)
		v = v * 6364136223846793005ul + 1442695040888963407ul;
	__atomic_fetch_add(&sum, v, __ATOMIC_SEQ_CST);
	return a;
}
int main(int argc, char **argv)
{
	pthread_t t[32];
	int n = atoi(argv[1]);

	time_begin();
	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, run, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	time_print();
	return 0;
}
