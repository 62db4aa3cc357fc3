/*
 * rwlock_program FD DIRECTORY OPERATIONS...: a thread for each argument, in which each letter is an operation. The outcome is a line that is written to FD. Two locks:
 * r, R and s, S lock and unlock one of them for reading, w, W and v, V for writing. t and u try the first one, for reading and for writing. x changes a variable in a way
 * that depends on the order, g reads it.
 */
#include <stdlib.h>

#include "tests/calls/rwlock.h"

#include "tests/lib/letters.h"

#define FREE { .one_step = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER }
static struct rwlock first = FREE, second = FREE;
static int x;

static char operate(long t, char c)
{
	switch (c) {
	case 'r':
	case 's':
		read_lock(c == 'r' ? &first : &second);
		break;
	case 'R':
	case 'S':
		read_unlock(c == 'R' ? &first : &second);
		break;
	case 'w':
	case 'v':
		write_lock(c == 'w' ? &first : &second);
		break;
	case 'W':
	case 'V':
		write_unlock(c == 'W' ? &first : &second);
		break;
	case 't':
		if (!try_read(&first))
			return '-';
		read_unlock(&first);
		return '+';
	case 'u':
		if (!try_write(&first))
			return '-';
		x = 3 * x + (int)t + 1;
		write_unlock(&first);
		return '+';
	case 'g':
		return (char)('a' + x % 26);
	case 'x':
		x = 3 * x + (int)t + 1;
		break;
	}
	return '.';
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	return !run_threads(argv + 3, argc - 3) ? 2 : put_outcome(atoi(argv[1]), x, 0);
}
