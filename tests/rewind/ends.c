/* The ways to end, argv[1]; the handlers run once, and all that they and the program change is as at the start in the next
   execution. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int counter, handlers, quick;
static char *text;

static void handler(void)
{
	CHECK(++handlers == 1 && counter == 2);
	free(text);
	text = NULL;
	puts("the handler of atexit");
}

static void quick_handler(void)
{
	CHECK(++quick == 1 && counter == 2);
}

static void *body(void *arg)
{
	take_turns(3);
	pthread_mutex_lock(&check_lock);
	counter++;
	text[0]++;
	pthread_mutex_unlock(&check_lock);
	return NULL;
}

static void *exits(void *arg)
{
	take_turns(1);
	pthread_exit(&counter);
}

static void *waits(void *arg)
{
	for (;;)
		pause();
	return NULL;
}

/* Threads that end in other ways than by returning. */
static void end_threads(void)
{
	pthread_t t[2];
	void *value;

	CHECK(pthread_create(&t[0], NULL, exits, NULL) == 0 && pthread_create(&t[1], NULL, waits, NULL) == 0);
	CHECK(pthread_cancel(t[1]) == 0);
	CHECK(pthread_join(t[0], &value) == 0 && value == &counter);
	CHECK(pthread_join(t[1], &value) == 0 && value == PTHREAD_CANCELED);
}

static void *last(void *arg)
{
	take_turns(2);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;

	atexit(handler);
	at_quick_exit(quick_handler);
	text = strdup("a");
	CHECK(counter == 0);
	run_two(body);
	CHECK(counter == 2 && text[0] == 'c');
	printf("%s\n", text);
	if (!strcmp(argv[1], "threads"))
		end_threads();
	if (!strcmp(argv[1], "return") || !strcmp(argv[1], "threads"))
		return 0;
	if (!strcmp(argv[1], "exit"))
		exit(0);
	if (!strcmp(argv[1], "_exit"))
		_exit(0);
	if (!strcmp(argv[1], "quick_exit"))
		quick_exit(0);
	CHECK(pthread_create(&t, NULL, last, NULL) == 0);
	pthread_detach(t);
	pthread_exit(NULL);
}
