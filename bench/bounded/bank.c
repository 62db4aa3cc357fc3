/* Transfers between two accounts: each balance is read and written with the lock, but the lock is released in between. */
#include "bounded.h"

static mutex m = PTHREAD_MUTEX_INITIALIZER;
static int account[2] = {100, 100};

static int get(int a)
{
	lock(&m);
	int v = account[a];
	unlock(&m);
	return v;
}

static void set(int a, int v)
{
	lock(&m);
	account[a] = v;
	unlock(&m);
}

THREAD(transfer)
{
	int from = me % 2, to = 1 - from;
	set(from, get(from) - 10);
	set(to, get(to) + 10);
	return NULL;
}

int main(void)
{
	start(transfer, 0);
	start(transfer, 1);
	join_all();
	assert(account[0] + account[1] == 200);
	return 0;
}
