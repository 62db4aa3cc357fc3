/* Eight threads wait for a byte in a pipe each, while main counts. So eight threads wait for descriptors at some two
   hundred events. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

#define THREADS 8
#define COUNTS 200

static int pipes[THREADS][2], count;

static void *wait_for_byte(void *in)
{
	char c;

	assert(read(*(int *)in, &c, 1) == 1);
	__atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

int main(void)
{
	pthread_t t[THREADS];

	for (int i = 0; i < THREADS; i++) {
		assert(pipe(pipes[i]) == 0);
		pthread_create(&t[i], NULL, wait_for_byte, &pipes[i][0]);
	}
	for (int i = 0; i < COUNTS; i++)
		__atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
	for (int i = 0; i < THREADS; i++)
		assert(write(pipes[i][1], "c", 1) == 1);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
