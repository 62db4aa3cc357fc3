/* Mistakes that tests/header.sh expects in reports; the argument selects one. */
#include "simul.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static volatile int flag;
static const char *what;

static void *two(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
	return NULL;
}

static void *one(void *unused)
{
	if (!strcmp(what, "circle"))
		return two(&a, &b);
	if (!strcmp(what, "spin"))
		for (int i = 0; i < 3 && !flag; i++)
			if (simul_choose(2)) /* the search must not take this for waiting */
				break;
	return unused;
}

static void *other(void *unused)
{
	if (!strcmp(what, "circle"))
		return two(&b, &a);
	flag = 1;
	return unused;
}

static void *third(void *unused)
{
	simul_assume(strcmp(what, "circle") && strcmp(what, "assume"));
	if (atoi(what))
		simul_choose(atoi(what));
	if (!strcmp(what, "none"))
		simul_choose(0);
	if (!strcmp(what, "later"))
		simul_ask(99, 0, NULL);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t[3];
	what = argv[argc - 1];
	if (!strcmp(what, "alone"))
		return simul_choose(3) > 2;
	pthread_create(&t[0], NULL, one, NULL);
	if (!strcmp(what, "circle") || !strcmp(what, "spin"))
		pthread_create(&t[1], NULL, other, NULL);
	else
		pthread_create(&t[1], NULL, one, NULL);
	pthread_create(&t[2], NULL, third, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
