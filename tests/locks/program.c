/*
 * program FD DIRECTORY OPERATIONS...: a thread for each argument, in which each letter is an operation. The outcome is a line that is written to FD.
 * a, b take a lock, A, B give it back; t tries to take a, and gives it back if that worked; x, y change a variable in a way that depends on the order; r reads one.
 */
#include "tests/locks/own_lock.h"

#include <stdlib.h>

#include "tests/lib/letters.h"

static own_lock lock[2] = {OWN_LOCK, OWN_LOCK};
static int x, y;

static char operate(long t, char c)
{
	if (c == 'a' || c == 'b')
		take(&lock[c - 'a']);
	else if (c == 'A' || c == 'B')
		give(&lock[c - 'A']);
	else if (c == 'x')
		x = 3 * x + (int)t + 1;
	else if (c == 'y')
		y = 3 * y + (int)t + 1;
	else if (c == 'r')
		return (char)('0' + x % 10);
	else if (try_to_take(&lock[0])) {
		give(&lock[0]);
		return '+';
	}
	return '.';
}

int main(int argc, char **argv)
{
	return argc < 3 || !run_threads(argv + 3, argc - 3) ? 2 : put_outcome(atoi(argv[1]), x, y);
}
