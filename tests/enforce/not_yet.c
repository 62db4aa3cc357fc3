/* Accesses that simul enforce cannot hold back yet. argv[1]: string (a function of the C library other than memcpy and memset), mapped. */
#include <string.h>
#include <sys/mman.h>
#include "window.h"
static int *mapped;
static char text[8], what, copy[8];
static void *work(void *p)
{
	if (what == 'm')
		__atomic_fetch_add(mapped, 1, __ATOMIC_SEQ_CST);
	else
		strcpy(copy, text);
	return p;
}
int main(int argc, char **argv)
{
	pthread_t t[2];

	what = argv[1][0];
	for (int i = 0; i < 2; i++) {
		if (!i)
			mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		pthread_create(&t[i], NULL, work, NULL);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
