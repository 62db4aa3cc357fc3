/* State of libc that two threads share, although no access of the program shows it: the order in which exit handlers
 * were registered, and variables that functions of libc write and the program reads. simul once found one trace of
 * each.
 * check: bug kind=assert traces=2 replays=3 : --keep-going -- atexit
 * check: bug kind=assert traces=2 : --keep-going -- on_exit
 * check: bug kind=assert traces=4 : --keep-going -- environ
 * check: bug kind=assert traces=12 : --keep-going -- entries
 * check: bug kind=assert traces=7 : --keep-going -- optind
 * check: bug kind=assert traces=2 : --keep-going -- sbrk
 * check: complete traces=1 : -- own
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *how;
static int last, before;
static void *end;

static void first_handler(void)
{
	last = 1;
}

static void second_handler(void)
{
	assert(last == 0);
}

static void on_first(int status, void *arg)
{
	first_handler();
}

static void on_second(int status, void *arg)
{
	second_handler();
}

static void *changes(void *arg)
{
	static char *argv[] = {"program", "-a", "-b", NULL};

	if (!strcmp(how, "atexit"))
		atexit(first_handler);
	else if (!strcmp(how, "on_exit"))
		on_exit(on_first, NULL);
	else if (!strcmp(how, "environ") || !strcmp(how, "entries"))
		setenv("SET_BY_A_THREAD", "1", 1);
	else if (!strcmp(how, "optind"))
		while (getopt(3, argv, "ab") != -1)
			;
	else if (!strcmp(how, "sbrk"))
		sbrk(4096);
	return arg;
}

static void *looks(void *arg)
{
	if (!strcmp(how, "atexit"))
		atexit(second_handler);
	else if (!strcmp(how, "on_exit"))
		on_exit(on_second, NULL);
	else if (!strcmp(how, "environ"))
		before = environ && environ[0];
	else if (!strcmp(how, "entries"))
		for (char **e = environ; e && *e; e++)
			before |= !strncmp(*e, "SET_BY", 6);
	else if (!strcmp(how, "optind"))
		before = optind != 1;
	else if (!strcmp(how, "sbrk"))
		before = sbrk(0) != end;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	how = argv[1];
	clearenv();
	if (!strcmp(how, "entries"))
		setenv("FIRST", "1", 1);
	end = sbrk(0);
	pthread_create(&a, NULL, changes, NULL);
	pthread_create(&b, NULL, looks, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(!before);
}
