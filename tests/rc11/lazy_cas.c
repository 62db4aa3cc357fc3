/* lazy_cas: lazy initialisation: who loses the compare-and-swap uses the winner's object
   -DWEAK: the order of failure is relaxed: a data race */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

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
	RUN(user, user);
	return 0;
}
