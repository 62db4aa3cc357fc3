/*
 * The lost wake-up of the Java virtual machine's Parker (OpenJDK bug 6822370; Dice, "A race in LockSupport park() arising from weak memory models", 2009).
 * park() takes a permit that is there without the lock. Its caller then looks again whether it has to wait. When the processor
 * looks before `permit = 0` is in memory, unpark() still finds the old permit and wakes no thread, and its new permit is
 * overwritten: the next park() waits for ever.
 */
#include "weak.h"

#ifndef LOOKS
#define LOOKS 10 /* the maximum number of iterations of the parker: it retries while the mutex is busy */
#endif

static shared permit, ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void park(void)
{
	if (LD(permit) > 0) {
		ST(permit, 0);
		tso_fence();
		return;
	}
	if (pthread_mutex_trylock(&mutex) != 0)
		return;
	if (LD(permit) == 0)
		pthread_cond_wait(&cond, &mutex);
	ST(permit, 0);
	pthread_mutex_unlock(&mutex);
}

static void unpark(void)
{
	int before;

	pthread_mutex_lock(&mutex);
	before = LD(permit);
	ST(permit, 1);
	pthread_mutex_unlock(&mutex);
	if (before == 0)
		pthread_cond_signal(&cond);
}

T(parker)
{
	for (int n = 0; n < LOOKS && !LD(ready); n++)
		park();
	return NULL;
}

T(unparker)
{
	unpark(); /* gives the permit */
	ST(ready, 1);
	unpark();
	return NULL;
}

int main(void)
{
	run2(parker, unparker);
	return 0;
}
