/* Thread-local variables that other threads access: the reader fails to wait until they are written. */
#include <semaphore.h>
#include "window.h"
static __thread char before[5];
static __thread int mine;
static int *of_first, *volatile of_maker;
static sem_t read_it;

static void *make(void *a)
{
	before[0] = 1;
	window(1);
	*of_first = 3;
	mine = 4;
	of_maker = &mine;
	sem_wait(&read_it);
	return a;
}

static void *use(void *a)
{
	assert(of_maker && *of_maker == 4 && *of_first == 3);
	sem_post(&read_it);
	return a;
}

int main(void)
{
	before[4] = 1;
	of_first = &mine;
	sem_init(&read_it, 0, 0);
	return run_two(make, use);
}
