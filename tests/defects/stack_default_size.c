/* A thread whose attributes do not set the stack size. simul did not put its stack where it puts the stacks of threads, so a search and a replay
 * could have different addresses. The program fails if the stack is not in that place (fiber.c, STACKS_LO). It also fails in the execution that
 * counts the threads, but that one is repeated and does not count.
 * check: complete : --
 * check: complete : --isolation exec --
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_int x;

static void *other(void *unused)
{
	char here;
	if ((uintptr_t)&here >> 32 != 0x10ff)
		exit(1);
	atomic_fetch_add(&x, 1);
	return NULL;
}

int main(void)
{
	pthread_attr_t a;
	pthread_t t;
	pthread_attr_init(&a);
	pthread_create(&t, &a, other, NULL);
	atomic_fetch_add(&x, 1);
	pthread_join(t, NULL);
	return 0;
}
