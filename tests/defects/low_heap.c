/* A program linked at a fixed address that keeps a pointer in 32 bits, as SPLASH-2's FFT does to align its arrays. Natively the heap of such a
 * program lies right behind it, below 4 GB. simul's malloc returned addresses far above 4 GB, and the program crashed.
 * build: gcc -g -O1 -pthread -no-pie
 * check: complete traces=1 : --
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void *nothing(void *arg)
{
	return arg;
}

int main(void)
{
	int *block = malloc(100);
	int *same = (int *)(uintptr_t)(uint32_t)(uintptr_t)block;
	pthread_t t;

	*same = 1;
	pthread_create(&t, NULL, nothing, NULL);
	pthread_join(t, NULL);
	return *block - 1;
}
