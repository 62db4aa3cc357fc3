/* A nested function of GNU C, called through a pointer in a thread: its trampoline lies on the stack, which must be executable, and the linker
 * marks the program so. simul's own stacks were not executable: a confirmed crash of a correct program.
 * check: complete traces=1 never=except : --
 * check: complete traces=1 never=except : --isolation exec --
 * check: complete traces=1 never=except : --threads kernel --
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *sort(void *x)
{
	int calls = 0;
	int order(const void *a, const void *b)
	{
		calls++;
		return *(const int *)a - *(const int *)b;
	}
	int v[3] = {3, 1, 2};

	qsort(v, 3, sizeof *v, order);
	assert(v[0] == 1 && calls);
	return x;
}

#ifndef LIBRARY
int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, sort, NULL);
	sort(NULL);
	pthread_join(t, NULL);
}
#endif
