#include <pthread.h>
#include <stddef.h>

#include "abba.h"

static void *run(void *arg)
{
	second();
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, run, NULL);
	first();
	pthread_join(t, NULL);
	return 0;
}
