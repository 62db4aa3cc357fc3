/* A program with a bug that needs its library: for campaigns with mutated ELF files. */
#include <pthread.h>
#include <stdio.h>

int library_add(int *to, int n);

static int count;
static pthread_t t[2];

static void *add(void *n)
{
	library_add(&count, *(int *)n);
	return n;
}

int main(void)
{
	int n[2] = {1, 2};

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, add, &n[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", count);
	return count != 3;
}
