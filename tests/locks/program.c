/*
 * program FD DIRECTORY OPERATIONS...: a thread for each argument, in which each letter is an operation. The outcome is a line that is written to FD.
 * a, b take a lock, A, B give it back; t tries to take a, and gives it back if that worked; x, y change a variable in a way that depends on the order; r reads one.
 */
#include "tests/locks/own_lock.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST 3

static own_lock lock[2] = {OWN_LOCK, OWN_LOCK};
static int x, y;
static char **ops;
static char results[MOST][16];

static void *run(void *which)
{
	long t = (long)which;

	for (int i = 0; ops[t][i]; i++) {
		char c = ops[t][i];
		results[t][i] = '.';
		if (c == 'a' || c == 'b')
			take(&lock[c - 'a']);
		else if (c == 'A' || c == 'B')
			give(&lock[c - 'A']);
		else if (c == 'x')
			x = 3 * x + (int)t + 1;
		else if (c == 'y')
			y = 3 * y + (int)t + 1;
		else if (c == 'r')
			results[t][i] = (char)('0' + x % 10);
		else if (try_to_take(&lock[0])) {
			results[t][i] = '+';
			give(&lock[0]);
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[MOST];
	char line[100];
	int n = argc - 3;

	if (n < 1 || n > MOST)
		return 2;
	ops = argv + 3;
	for (long i = 1; i < n; i++)
		pthread_create(&t[i], NULL, run, (void *)i);
	run((void *)0);
	for (int i = 1; i < n; i++)
		pthread_join(t[i], NULL);
	int length = snprintf(line, sizeof(line), "%s %s %s %d %d\n", results[0], results[1], results[2], x, y);
	return write(atoi(argv[1]), line, (size_t)length) != length;
}
