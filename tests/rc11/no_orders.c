/* The first thread is in a library that is built without -fsanitize=thread: what it loads is the latest store, so a flag
   that it has seen means that the data is there. (Built twice: with -DLIBRARY the library.) */
#include <pthread.h>

#include "tests/rc11/orders.h"

extern atomic_int data, flag;
void *look(void *unused);

#ifdef LIBRARY
void *look(void *unused)
{
	if (load(&flag, rlx))
		CHECK(load(&data, rlx));
	return unused;
}
#else
atomic_int data, flag;

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, look, NULL);
	store(&data, 1, rel);
	store(&flag, 1, rel);
	pthread_join(t, NULL);
	return 0;
}
#endif
