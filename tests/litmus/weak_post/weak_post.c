/*
 * A store, then sem_post. The thread that waited for it finds the store. A third thread, which does not wait, finds it or not: 2 traces.
 */
#include <semaphore.h>

#include "../weak.h"

static sem_t sem;
static atomic_int data;
static int a;

T(p)
{
	ST(data, 1);
	sem_post(&sem);
	return NULL;
}

T(q)
{
	sem_wait(&sem);
	a = LD(data);
	return NULL;
}

T(r)
{
	(void)LD(data);
	return NULL;
}

int main(void)
{
	sem_init(&sem, 0, 0);
	RUN(p, q, r);
	return a != 1;
}
