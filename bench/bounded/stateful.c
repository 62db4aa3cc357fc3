/* SV-COMP stateful01 (unsafe): two threads change two variables, each with its lock; the result depends on the order. */
#include "bounded.h"

static mutex ma = PTHREAD_MUTEX_INITIALIZER, mb = PTHREAD_MUTEX_INITIALIZER;
static int a = 10, b = 10;

THREAD(first)
{
	lock(&ma);
	a++;
	unlock(&ma);
	lock(&mb);
	b++;
	unlock(&mb);
	return NULL;
}

THREAD(second)
{
	lock(&ma);
	a += 10;
	if (a > 20)
		a = a + b;
	unlock(&ma);
	return NULL;
}

int main(void)
{
	start(first, 0);
	start(second, 0);
	join_all();
	assert(a != 31 && a != 32); /* it can be 31 or 32 */
	return 0;
}
