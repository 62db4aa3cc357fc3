/* SV-COMP lazy01: the third thread must not see the sum of the first two, but nothing prevents this. */
#include "bounded.h"

static mutex m = PTHREAD_MUTEX_INITIALIZER;
static int data;

THREAD(adder)
{
	lock(&m);
	data += me;
	unlock(&m);
	return NULL;
}

THREAD(check)
{
	lock(&m);
	assert(data < 3);
	unlock(&m);
	return NULL;
}

int main(void)
{
	start(check, 0);
	start(adder, 1);
	start(adder, 2);
	join_all();
	return 0;
}
