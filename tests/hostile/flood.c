/* Two threads that fill standard output: `flood MEBIBYTES`; 0 means endless. The last line is END. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char page[1 << 20];
static long most;

static void *fill(void *unused)
{
	for (long i = 0; !most || i < most; i++)
		(void)!write(1, page, sizeof(page));
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	most = argc > 1 ? atol(argv[1]) : 0;
	memset(page, 'x', sizeof(page));
	pthread_create(&a, NULL, fill, NULL);
	pthread_create(&b, NULL, fill, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	puts("END");
	return 0;
}
