/* Two threads share a named semaphore. One fails to wait until the other has created it, and until it has been posted.
   Others are opened, closed and opened again, and given a name that was free again. */
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include "window.h"
static char shared[40], alone[2][40];
static int *number;

static sem_t *create(const char *name, unsigned value)
{
	sem_t *s = sem_open(name, O_CREAT, 0600, value);

	assert(s != SEM_FAILED);
	return s;
}

static void use_alone(const char *name)
{
	sem_t *s = create(name, 1);
	int value;

	assert(sem_open(name, O_CREAT | O_EXCL, 0600, 0) == SEM_FAILED && errno == EEXIST);
	assert(!sem_close(s) && create(name, 5) == s && !sem_wait(s) && !sem_getvalue(s, &value) && !value);
	assert(!sem_unlink(name) && sem_unlink(name) == -1 && errno == ENOENT);
	s = create(name, 2);
	assert(!sem_trywait(s) && !sem_trywait(s) && sem_trywait(s) == -1 && errno == EAGAIN && !sem_unlink(name));
}

static void *first(void *a)
{
	sem_t *s;

	use_alone(alone[0]);
	window(1);
	s = create(shared, 0);
	window(1);
	number = malloc(sizeof(*number)); /* sem_open takes no part of the heap */
	*number = 1;
	assert(!sem_post(s) && !sem_close(s));
	return a;
}

static void *second(void *a)
{
	sem_t *s;

	use_alone(alone[1]);
	s = sem_open(shared, 0);
	if (s == SEM_FAILED || sem_trywait(s)) {
		sem_unlink(shared);
		abort();
	}
	assert(*number == 1 && !sem_close(s));
	return a;
}

int main(void)
{
	snprintf(shared, sizeof(shared), "/simul-named-%d", getpid());
	for (int i = 0; i < 2; i++)
		snprintf(alone[i], sizeof(alone[i]), "/simul-named-%d-%d", getpid(), i);
	run_two(first, second);
	return sem_unlink(shared);
}
