/*
 * Connections in a table. A worker sends on a connection while another thread may close it; the table has a lock, and so
 * does every connection.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define SLOTS 4

struct connection {
	int id;
	char peer[64];
	pthread_mutex_t lock;
	unsigned long sent;
};

static struct {
	pthread_mutex_t lock;
	struct connection *slot[SLOTS];
} table = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void conn_open(int id)
{
	struct connection *c = calloc(1, sizeof *c);

	if (!c)
		abort();
	c->id = id;
	snprintf(c->peer, sizeof c->peer, "10.0.0.%d:443", id);
	pthread_mutex_init(&c->lock, NULL);
	pthread_mutex_lock(&table.lock);
	table.slot[id] = c;
	pthread_mutex_unlock(&table.lock);
}

static struct connection *conn_find(int id)
{
	pthread_mutex_lock(&table.lock);
	struct connection *c = table.slot[id];
	pthread_mutex_unlock(&table.lock);
	return c;
}

static void conn_close(int id)
{
	pthread_mutex_lock(&table.lock);
	struct connection *c = table.slot[id];
	table.slot[id] = NULL;
	pthread_mutex_unlock(&table.lock);
	if (!c)
		return;

	pthread_mutex_lock(&c->lock); /* wait until no thread is sending */
	unsigned long sent = c->sent;
	pthread_mutex_unlock(&c->lock);
	printf("connection %d closed after %lu bytes\n", id, sent);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

static int conn_send(int id, unsigned long bytes)
{
	struct connection *c = conn_find(id);

	if (!c)
		return -1;
	pthread_mutex_lock(&c->lock);
	c->sent += bytes;
	pthread_mutex_unlock(&c->lock);
	return 0;
}

static void *worker(void *arg)
{
	if (conn_send(2, 1500) != 0)
		printf("connection 2 is closed\n");
	return NULL;
}

static void *closer(void *arg)
{
	conn_close(2);
	return NULL;
}

int main(void)
{
	pthread_t w, c;

	conn_open(2);
	pthread_create(&w, NULL, worker, NULL);
	pthread_create(&c, NULL, closer, NULL);
	pthread_join(w, NULL);
	pthread_join(c, NULL);
	return 0;
}
