/* SCTBench account: a deposit, a withdrawal, and a check with the wrong sign of the deposit. */
#include "bounded.h"

static mutex m = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;
static bool deposited, withdrawn;

THREAD(deposit)
{
	lock(&m);
	balance += 30;
	deposited = true;
	unlock(&m);
	return NULL;
}

THREAD(withdraw)
{
	lock(&m);
	balance -= 10;
	withdrawn = true;
	unlock(&m);
	return NULL;
}

THREAD(check)
{
	lock(&m);
	if (deposited && withdrawn)
		assert(balance == 100 - 30 - 10);
	unlock(&m);
	return NULL;
}

int main(void)
{
	start(check, 0);
	start(deposit, 0);
	start(withdraw, 0);
	join_all();
	return 0;
}
