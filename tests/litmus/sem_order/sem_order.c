/* The wait can only come after the post. */
#include <semaphore.h>

#include "../litmus.h"

static sem_t s;

T(p)
{
	sem_post(&s);
	return NULL;
}

T(w)
{
	sem_wait(&s);
	return NULL;
}

int main(void)
{
	sem_init(&s, 0, 0);
	RUN(w, p);
	return 0;
}
