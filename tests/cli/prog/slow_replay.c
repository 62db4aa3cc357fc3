/* Every execution fails, after waiting for a process that sleeps: it takes at least two seconds, but no processor time. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *fail(void *unused)
{
	if (system("sleep 2.2"))
		abort();
	assert(!"slow");
	return unused;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, fail, NULL);
	pthread_join(t, NULL);
	return 0;
}
