// Two threads count with uatomic_add_return, and one of them sees the last value.
// verdict: complete
#include <assert.h>
#include <pthread.h>
#include <urcu/uatomic.h>

static int hits, last;

static void *count(void *unused)
{
	for (int i = 0; i < 2; i++)
		if (uatomic_add_return(&hits, 1) == 4)
			uatomic_inc(&last);
	return unused;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, NULL, count, NULL);
	count(NULL);
	pthread_join(other, NULL);
	assert(last == 1);
	return 0;
}
