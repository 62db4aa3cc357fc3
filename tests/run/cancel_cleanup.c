/* Deferred cancellation in a condition wait: the mutex is held again when the cleanup handlers run, in reverse order;
   pthread keys are destroyed after them; the joiner sees PTHREAD_CANCELED. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_key_t key;
static char order[16];

static void note(void *arg)
{
	strcat(order, arg);
}

static void unlock(void *arg)
{
	strcat(order, "u");
	if (pthread_mutex_unlock(arg) != 0)
		_exit(9);
}

static void *waiter(void *arg)
{
	pthread_setspecific(key, "k");
	pthread_cleanup_push(note, "a");
	pthread_mutex_lock(&lock);
	pthread_cleanup_push(unlock, &lock);
	for (;;)
		pthread_cond_wait(&never, &lock);
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return NULL;
}

static void *stubborn(void *arg)
{
	int old;

	if (pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) != 0 || old != PTHREAD_CANCEL_ENABLE)
		_exit(8);
	pthread_testcancel();
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	pthread_testcancel();
	return order;
}

int main(void)
{
	pthread_t t;
	void *result;

	if (pthread_key_create(&key, note) != 0)
		return 1;
	if (pthread_create(&t, NULL, waiter, NULL) != 0)
		return 2;
	if (pthread_cancel(t) != 0 || pthread_join(t, &result) != 0 || result != PTHREAD_CANCELED)
		return 3;
	if (strcmp(order, "uak") != 0)
		return 4;
	if (pthread_mutex_trylock(&lock) != 0) /* the handler has unlocked it */
		return 5;
	pthread_mutex_unlock(&lock);

	if (pthread_create(&t, NULL, stubborn, NULL) != 0)
		return 6;
	if (pthread_cancel(t) != 0 || pthread_join(t, &result) != 0 || (result != order && result != PTHREAD_CANCELED))
		return 7;
	return 0;
}
