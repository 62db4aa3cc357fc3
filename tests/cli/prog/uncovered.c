/* A function that begins a hardware transaction: it cannot be rewritten. It is not run either. */
#include <pthread.h>

static int counter;

__attribute__((noinline)) static void transaction(void)
{
	unsigned status = ~0u;

	__asm__ volatile(".byte 0xc7, 0xf8, 0, 0, 0, 0" : "+a"(status)); /* xbegin to the next instruction */
	if (status == ~0u)
		counter++;
}

static void *thread(void *arg)
{
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	if (argc > 1)
		transaction();
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	return counter;
}
