/*
 * A mailbox with one slot between a sender and two receivers, with one condition variable for "the mailbox has changed".
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

struct mailbox {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool full;
	int letter;
};

static struct mailbox box = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0 };

static void put(struct mailbox *b, int letter)
{
	pthread_mutex_lock(&b->lock);
	while (b->full)
		pthread_cond_wait(&b->changed, &b->lock);
	b->letter = letter;
	b->full = true;
	pthread_cond_signal(&b->changed);
	pthread_mutex_unlock(&b->lock);
}

static int take(struct mailbox *b)
{
	pthread_mutex_lock(&b->lock);
	while (!b->full)
		pthread_cond_wait(&b->changed, &b->lock);
	int letter = b->letter;
	b->full = false;
	pthread_cond_signal(&b->changed);
	pthread_mutex_unlock(&b->lock);
	return letter;
}

static void *receiver(void *arg)
{
	*(int *)arg = take(&box);
	return NULL;
}

int main(void)
{
	pthread_t receivers[2];
	int got[2] = { 0, 0 };

	for (int i = 0; i < 2; i++)
		pthread_create(&receivers[i], NULL, receiver, &got[i]);
	put(&box, 20);
	usleep(1000); /* letters do not all come at once */
	put(&box, 22);
	for (int i = 0; i < 2; i++)
		pthread_join(receivers[i], NULL);
	printf("received %d and %d\n", got[0], got[1]);
	assert(got[0] + got[1] == 42);
	return 0;
}
