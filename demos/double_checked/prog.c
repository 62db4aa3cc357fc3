/*
 * Settings that are initialised at first use. The lock is taken only before they exist.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct settings {
	int port;
	int workers;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct settings *settings;

static struct settings *get_settings(void)
{
	if (!settings) {
		pthread_mutex_lock(&lock);
		if (!settings) {
			settings = calloc(1, sizeof(*settings));
			settings->port = 8080;
			settings->workers = 4;
		}
		pthread_mutex_unlock(&lock);
	}
	return settings;
}

static void *server(void *arg)
{
	struct settings *s = get_settings();

	assert(s->port == 8080);
	return NULL;
}

int main(void)
{
	pthread_t servers[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&servers[i], NULL, server, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(servers[i], NULL);
	printf("%d workers\n", settings->workers);
	return 0;
}
