/* A number to which threads add in two steps. An update is lost where another thread runs between them. */
#ifndef LOST_UPDATE_H
#define LOST_UPDATE_H
#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void increment(void)
{
	int seen;

	pthread_mutex_lock(&lock);
	seen = n;
	pthread_mutex_unlock(&lock);
	window(1);
	pthread_mutex_lock(&lock);
	n = seen + 1;
	pthread_mutex_unlock(&lock);
}
#endif
