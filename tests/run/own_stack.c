/* A thread on a stack that the program provides, and one with the smallest stack; the memory can be used
   again after the join. */
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define SIZE (256 * 1024)

static void *where(void *arg)
{
	char here[128];

	void *p = here;

	memset(here, 1, sizeof here);
	__asm__ volatile("" : "+r"(p)); /* the address of a local, on purpose */
	return p;
}

int main(void)
{
	pthread_attr_t attr;
	pthread_t t;
	void *result, *stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (stack == MAP_FAILED)
		return 1;
	pthread_attr_init(&attr);
	if (pthread_attr_setstack(&attr, stack, SIZE) != 0)
		return 2;
	for (int i = 0; i < 2; i++) {
		if (pthread_create(&t, &attr, where, NULL) != 0 || pthread_join(t, &result) != 0)
			return 3;
		if ((char *)result < (char *)stack || (char *)result >= (char *)stack + SIZE)
			return 4;
		memset(stack, 0, SIZE);
	}
	pthread_attr_destroy(&attr);
	pthread_attr_init(&attr);
	if (pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN) != 0)
		return 5;
	if (pthread_create(&t, &attr, where, NULL) != 0 || pthread_join(t, &result) != 0)
		return 6;
	return 0;
}
