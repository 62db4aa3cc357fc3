/* lazy_cas: lazy initialisation: who loses the compare-and-swap uses the winner's object
   -DWEAK: the order of failure is relaxed: a data race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "tests/rc11/orders.h"

#ifdef WEAK
#define LOSE rlx
#else
#define LOSE acq
#endif
static int objects[2];
static _Atomic(int *) shared;

static void *user(void *arg)
{
	int *mine = &objects[(long)arg], *found = NULL;

	*mine = 9;
	if (!cas(&shared, &found, mine, rel, LOSE))
		CHECK(*found == 9);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, user, (void *)0L);
	pthread_create(&t[1], NULL, user, (void *)1L);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
