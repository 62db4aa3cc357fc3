/*
 * Programs in which each thread makes the operations of one argument, a letter each. The program defines operate, calls run_threads, and then put_outcome: the outcome
 * is a line with what the operations returned and the values of two variables.
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define MOST_THREADS 3

/* Makes the operation in thread t (from 0). Returns a character for the outcome. */
static char operate(long t, char operation);

static char **operations;
static char results[MOST_THREADS][16];

static void *run_letters(void *which)
{
	long t = (long)which;

	for (int i = 0; operations[t][i]; i++)
		results[t][i] = operate(t, operations[t][i]);
	return NULL;
}

/* Runs `n` threads, the first of which is the caller. Returns 0 if n is out of range. */
static int run_threads(char **of, int n)
{
	pthread_t t[MOST_THREADS];

	if (n < 1 || n > MOST_THREADS)
		return 0;
	operations = of;
	for (long i = 1; i < n; i++)
		pthread_create(&t[i], NULL, run_letters, (void *)i);
	run_letters((void *)0);
	for (int i = 1; i < n; i++)
		pthread_join(t[i], NULL);
	return 1;
}

/* Returns the exit status of the program. */
static int put_outcome(int fd, int x, int y)
{
	char line[100];
	int length = snprintf(line, sizeof(line), "%s %s %s %d %d\n", results[0], results[1], results[2], x, y);

	return write(fd, line, (size_t)length) != length;
}
