/* Two posts in either order; two waits in either order; the n-th wait takes the n-th token and does not care whether
   the next one is there already: 2 * 2. */
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
	RUN(w, p, w, p);
	return 0;
}
