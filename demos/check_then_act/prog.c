/*
 * Seats on a small aeroplane, sold at several counters. Every access to the seat count is under the lock.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

struct flight {
	pthread_mutex_t lock;
	int free_seats;
	int sold;
};

static struct flight flight = { PTHREAD_MUTEX_INITIALIZER, 3, 0 };

static int seats_left(struct flight *f)
{
	pthread_mutex_lock(&f->lock);
	int n = f->free_seats;
	pthread_mutex_unlock(&f->lock);
	return n;
}

static void sell(struct flight *f, int seats)
{
	pthread_mutex_lock(&f->lock);
	f->free_seats -= seats;
	f->sold += seats;
	assert(f->free_seats >= 0);
	pthread_mutex_unlock(&f->lock);
}

static bool book(struct flight *f, int seats)
{
	if (seats_left(f) < seats)
		return false;
	sell(f, seats);
	return true;
}

struct customer {
	useconds_t arrives; /* microseconds after opening */
	int seats;
};

static void *counter(void *arg)
{
	struct customer *c = arg;

	usleep(c->arrives);
	if (!book(&flight, c->seats))
		printf("no %d seats left\n", c->seats);
	return NULL;
}

int main(void)
{
	pthread_t counters[2];
	struct customer customers[2] = { { 0, 1 }, { 1000, 3 } };

	for (int i = 0; i < 2; i++)
		pthread_create(&counters[i], NULL, counter, &customers[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(counters[i], NULL);
	printf("%d sold, %d free\n", flight.sold, flight.free_seats);
	assert(flight.sold + flight.free_seats == 3);
	return 0;
}
