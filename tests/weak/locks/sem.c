/* A semaphore lets one of three threads in at a time. */
#include "locks.h"

static sem_t sem;
static int inside, visits;

static void *visit(void *me)
{
	CHECK(sem_wait(&sem));
	inside++;
	assert(inside == 1);
	visits++;
	inside--;
	CHECK(sem_post(&sem));
	return NULL;
}

int main(void)
{
	CHECK(sem_init(&sem, 0, 1));
	run(3, visit);
	assert(visits == 3);
	return 0;
}
