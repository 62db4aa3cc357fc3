/* Most executions fail, in the way that argv[1] says and always at the same place. What a failure leaves behind is not there in the next
   execution. */
#include <assert.h>
#include <signal.h>
#include <string.h>

#include "check.h"

static int order[6], n, failed;
static const char *how;
static volatile int zero;

static int deeper(int depth)
{
	volatile char room[4096];

	room[0] = (char)depth;
	return deeper(depth + 1) + room[0];
}

static void fail(void)
{
	CHECK(failed++ == 0);
	printf("failing, in the order %d %d %d", order[0], order[1], order[2]); /* no newline: it stays in the buffer */
	if (!strcmp(how, "assert"))
		assert(n < 6);
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "crash"))
		*(volatile int *)8 = 1;
	if (!strcmp(how, "divide"))
		zero = 100 / zero;
	if (!strcmp(how, "overflow"))
		deeper(0);
	if (!strcmp(how, "raise_abort"))
		raise(SIGABRT);
	if (!strcmp(how, "raise"))
		raise(SIGTERM);
	if (!strcmp(how, "exit"))
		exit(5);
	if (!strcmp(how, "_exit"))
		_exit(5);
	if (!strcmp(how, "deadlock"))
		pthread_mutex_lock(&check_lock);
}

static void *body(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&check_lock);
		order[n++] = (int)(long)arg;
		if (n == 6 && order[0] != order[5])
			fail();
		pthread_mutex_unlock(&check_lock);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	how = argv[1];
	run_two(body);
	puts("fine");
	return 0;
}
