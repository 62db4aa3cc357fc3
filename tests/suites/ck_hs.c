/* Ck_barrier_centralized.
 * build: gcc -g -O1 -pthread -o ck_hs ck_hs.c -lck
 */
#include "two.h"
#include <ck_barrier.h>
static ck_barrier_centralized_t b = CK_BARRIER_CENTRALIZED_INITIALIZER;
static int x[2];
static void *f(void *a)
{
	long i = (long)a - 1;
	ck_barrier_centralized_state_t s = CK_BARRIER_CENTRALIZED_STATE_INITIALIZER;
	x[i] = 1;
	ck_barrier_centralized(&b, &s, 2);
	assert(x[0] && x[1]);
	return 0;
}

int main()
{
	TWO(f);
}
