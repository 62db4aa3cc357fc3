/* weak_mp with a sem_post between the stores: a call drains the buffer. */
#include <semaphore.h>

#include "../weak.h"

static sem_t sem;
static atomic_int data, flag;
static int a, b;

T(p)
{
	ST(data, 1);
	sem_post(&sem);
	ST(flag, 1);
	return NULL;
}

T(q)
{
	a = LD(flag);
	b = LD(data);
	return NULL;
}

int main(void)
{
	sem_init(&sem, 0, 0);
	RUN(p, q);
	return a == 1 && b == 0;
}
