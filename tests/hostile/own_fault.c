/*
 * Clears a pointer of simul's own, so that simul's code faults when it chooses the next step. That is no crash of the program.
 *
 *   own_fault OFFSET   the pointer lies OFFSET bytes (hexadecimal) behind the place where libsimul.so is loaded
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static unsigned long simul_base(void)
{
	char line[400];
	unsigned long base = 0;
	FILE *f = fopen("/proc/self/maps", "r");

	while (!base && f && fgets(line, sizeof line, f))
		if (strstr(line, "libsimul.so"))
			base = strtoul(line, NULL, 16);
	return base;
}

static void *count(void *pointer)
{
	pthread_mutex_lock(&lock);
	*(void *volatile *)pointer = NULL;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(int argc, char **argv)
{
	char *pointer = (char *)simul_base() + (argc > 1 ? strtoul(argv[1], NULL, 16) : 0);
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, count, pointer);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
