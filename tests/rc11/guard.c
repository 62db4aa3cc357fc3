/* A function of the program is built without -fsanitize=thread. Its plain load sees the flag, so the data is there and
   there is no race. (Built twice: with -DOBJECT the function.) */
#include <pthread.h>

#include "tests/rc11/orders.h"

extern atomic_int flag;
int ready(void);

#ifdef OBJECT
int ready(void)
{
	return load(&flag, acq);
}
#else
atomic_int flag;
static int data;

static void *fill(void *unused)
{
	data = 1;
	store(&flag, 1, rel);
	return unused;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, fill, NULL);
	if (ready())
		CHECK(data == 1);
	pthread_join(t, NULL);
	return 0;
}
#endif
