/*
 * program FD DIRECTORY OPERATIONS...: a thread for each argument, in which each letter is an operation. The outcome is a line that is written to FD. Two channels,
 * each with a sender in each thread: s, t send to one of them, r, u receive, p tries to receive, c, d drop a sender, o reads how many messages there are. m and M lock
 * and unlock a mutex. k removes all messages, and locks the mutex for each one. w waits for v in a call that is no single step. x, y change a variable in a way that
 * depends on the order.
 */
#include <pthread.h>
#include <stdbool.h>

#include "tests/calls/channel.h"

#include "tests/lib/letters.h"

static struct channel *first, *second;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void drop(unsigned value)
{
	pthread_mutex_lock(&mutex);
	x = 3 * x + (int)value;
	pthread_mutex_unlock(&mutex);
}

static char shown(unsigned value)
{
	return value == CLOSED ? '#' : value == EMPTY ? '-' : (char)('0' + value);
}

static char operate(long t, char c)
{
#if CHANNEL_KIND == CODE
	self = t;
#endif
	switch (c) {
	case 's':
	case 't':
		channel_send(c == 's' ? first : second, (unsigned)t + 1);
		return '.';
	case 'r':
	case 'u':
		return shown(channel_receive(c == 'r' ? first : second));
	case 'p':
		return shown(channel_try(first));
	case 'c':
	case 'd':
		channel_close(c == 'c' ? first : second);
		return '.';
	case 'o':
		return shown(channel_look(first));
	case 'k':
		channel_discard(first, drop);
		return '.';
	case 'v':
		channel_signal(first);
		return '.';
	case 'w':
		channel_await(first);
		return '.';
	case 'm':
		pthread_mutex_lock(&mutex);
		return '.';
	case 'M':
		pthread_mutex_unlock(&mutex);
		return '.';
	case 'x':
		x = 3 * x + (int)t + 1;
		return '.';
	}
	y = 3 * y + (int)t + 1;
	return '.';
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	first = channel_new((unsigned)argc - 3);
	second = channel_new((unsigned)argc - 3);
	return !run_threads(argv + 3, argc - 3) ? 2 : put_outcome(atoi(argv[1]), x, y);
}
