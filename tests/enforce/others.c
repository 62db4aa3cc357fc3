/* A named semaphore that may have existed before: OTHERS in the environment is its name. */
#include <fcntl.h>
#include <semaphore.h>
#include "window.h"
static const char *name;

static void *use(void *a)
{
	sem_t *s = sem_open(name, O_CREAT, 0600, 1);

	assert(s != SEM_FAILED && !sem_wait(s) && !sem_post(s));
	return a;
}

int main(void)
{
	char own[40];

	snprintf(own, sizeof(own), "/simul-others-%d", getpid());
	name = own;
	for (char **v = environ; *v; v++)
		name = strncmp(*v, "OTHERS=", 7) ? name : *v + 7;
	run_two(use, use);
	sem_unlink(name);
	return 0;
}
