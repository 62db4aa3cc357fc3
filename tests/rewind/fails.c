/* Fails in some orders and not in others, in the way that argv[1] says. */
#include <string.h>

#include "check.h"

static int order[2], n;
static char filler[40000];
static const char *how;

static void fail(void)
{
	memset(filler, 0x55, sizeof(filler));
	if (!strcmp(how, "crash"))
		*(volatile int *)8 = 1;
	else if (!strcmp(how, "abort"))
		abort();
	else if (!strcmp(how, "exit"))
		exit(5);
	else if (!strcmp(how, "deadlock"))
		pthread_mutex_lock(&check_lock);
}

static void *body(void *arg)
{
	take_turns(2);
	pthread_mutex_lock(&check_lock);
	CHECK(n < 2 && filler[n * 39999] == 0);
	order[n++] = (int)(long)arg;
	if (n == 2 && order[0] == 1)
		fail();
	pthread_mutex_unlock(&check_lock);
	return NULL;
}

int main(int argc, char **argv)
{
	how = argv[1];
	run_two(body);
	printf("the order was %d %d\n", order[0], order[1]);
	return 0;
}
