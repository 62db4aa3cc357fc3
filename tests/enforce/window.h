/* WINDOW=US in the environment: sleeps where a bug's window is, so that it shows natively. */
#ifndef WINDOW_H
#define WINDOW_H
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static inline void window(int times)
{
	const char *us = NULL;

	for (char **v = environ; *v; v++) /* unlike getenv, this is not compared with the certificate */
		us = strncmp(*v, "WINDOW=", 7) ? us : *v + 7;

	if (us)
		usleep((useconds_t)(atoi(us) * times));
}

static inline int run_two(void *(*a)(void *), void *(*b)(void *))
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, a, NULL);
	pthread_create(&t[1], NULL, b, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
#endif
