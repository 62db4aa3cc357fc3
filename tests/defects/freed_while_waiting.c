/*
 * Threads wait at an object that another thread frees before they leave. How it ends depends on what the rest of the wait touches:
 *
 *   relock     a signalled thread takes its mutex again, which was freed: a use after free
 *   cond       the condition variable was freed after a signal, but not destroyed: a use after free
 *   destroyed  the same, but destroyed first: pthread_cond_destroy waits for signalled threads, so this is right
 *   barrier    the barrier was freed by the first thread that left it, but not destroyed: a use after free
 *   round      the same, but destroyed first, which is right
 *   last       pthread_mutex_unlock after the last use by others, then free: right, since POSIX asks for it
 *   post       sem_wait, then free: right, since the post has ended for POSIX when the wait returns
 *   second     two posts, one wait, then free: the second post is a use after free
 *   late       the condition is signalled after the mutex was unlocked; the waiter frees it meanwhile: a use after free
 *
 * check: bug kind=memory says=T0.1_uses_a_mutex : -- relock
 * check: bug kind=memory says=T0.1_uses_a_condition_variable : -- cond
 * check: complete : -- destroyed
 * check: bug kind=memory says=uses_a_barrier : -- barrier
 * check: complete : -- round
 * check: complete : -- last
 * check: complete : -- post
 * check: bug kind=memory says=T0.1_uses_a_semaphore : -- second
 * check: bug kind=memory says=T0_uses_a_condition_variable : -- late
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t *m;
static pthread_cond_t *c;
static pthread_barrier_t *b;
static sem_t *s;
static int ready;
static const char *how;

static int is(const char *name)
{
	return !strcmp(how, name);
}

static void *waits(void *arg)
{
	pthread_mutex_lock(m);
	while (!ready)
		pthread_cond_wait(c, m);
	if (!is("relock"))
		pthread_mutex_unlock(m);
	if (is("late"))
		free(c);
	return arg;
}

static void *meets(void *arg)
{
	if (pthread_barrier_wait(b) == PTHREAD_BARRIER_SERIAL_THREAD) {
		if (is("round"))
			pthread_barrier_destroy(b);
		free(b);
	}
	return arg;
}

static void *unlocks(void *arg)
{
	pthread_mutex_lock(m);
	ready++;
	pthread_mutex_unlock(m);
	return arg;
}

static void *posts(void *arg)
{
	sem_post(s);
	if (is("second"))
		sem_post(s);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	how = argc > 1 ? argv[1] : "relock";
	m = malloc(sizeof *m);
	c = malloc(sizeof *c);
	b = malloc(sizeof *b);
	s = malloc(sizeof *s);
	pthread_mutex_init(m, 0);
	pthread_cond_init(c, 0);
	pthread_barrier_init(b, 0, 2);
	sem_init(s, 0, 0);
	if (is("barrier") || is("round")) {
		pthread_create(&t, 0, meets, 0);
		meets(0);
	} else if (is("last")) {
		pthread_create(&t, 0, unlocks, 0);
		for (int done = 0; !done;) {
			pthread_mutex_lock(m);
			done = ready;
			pthread_mutex_unlock(m);
		}
		free(m);
	} else if (is("post") || is("second")) {
		pthread_create(&t, 0, posts, 0);
		sem_wait(s);
		free(s);
	} else {
		pthread_create(&t, 0, waits, 0);
		pthread_mutex_lock(m);
		ready = 1;
		if (!is("late"))
			pthread_cond_signal(c);
		pthread_mutex_unlock(m);
		if (is("late"))
			pthread_cond_signal(c);
		if (is("relock"))
			free(m);
		if (is("destroyed"))
			pthread_cond_destroy(c);
		if (is("destroyed") || is("cond"))
			free(c);
	}
	return pthread_join(t, 0);
}
