/* Two accounts, and two transfers in opposite directions. With -DORDERED they take their locks in one order; otherwise they may deadlock.
   -DSLOW makes it take two seconds without simul, whose time is virtual. */
#include <pthread.h>
#include <unistd.h>

struct account {
	pthread_mutex_t lock;
	int money;
};

static struct account a = {PTHREAD_MUTEX_INITIALIZER, 10}, b = {PTHREAD_MUTEX_INITIALIZER, 10};

static void transfer(struct account *from, struct account *to)
{
#ifdef ORDERED
	struct account *first = from < to ? from : to, *second = from < to ? to : from;
#else
	struct account *first = from, *second = to;
#endif
	pthread_mutex_lock(&first->lock);
	pthread_mutex_lock(&second->lock);
	from->money--;
	to->money++;
	pthread_mutex_unlock(&second->lock);
	pthread_mutex_unlock(&first->lock);
}

static void *back(void *arg)
{
	transfer(&b, &a);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, back, NULL);
	transfer(&a, &b);
	pthread_join(t, NULL);
#ifdef SLOW
	sleep(2);
#endif
	return a.money != 10 || b.money != 10;
}
