/* A semaphore used as a lock: two sections, two orders. */
#include <semaphore.h>

#include "../litmus.h"

static sem_t s;

T(p)
{
	sem_wait(&s);
	sem_post(&s);
	return NULL;
}

int main(void)
{
	sem_init(&s, 0, 1);
	RUN(p, p);
	return 0;
}
