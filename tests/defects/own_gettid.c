/* A program has functions of its own with the names of libc's that call syscall(), as old programs have for
 * gettid. simul handled the system call by its function of the same name, the dynamic linker took the program's
 * for it, and they called each other until the stack overflowed: a false crash.
 * build: gcc -g -O1 -pthread
 * check: complete traces=2 : --
 */
#include <assert.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int calls;

pid_t gettid(void)
{
	calls++;
	return (pid_t)syscall(SYS_gettid);
}

int sched_yield(void)
{
	return (int)syscall(SYS_sched_yield);
}

static void *ask(void *unused)
{
	pthread_mutex_lock(&lock);
	assert(gettid() > 0);
	assert(!sched_yield());
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, ask, NULL);
	pthread_create(&b, NULL, ask, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(calls == 2);
	return 0;
}
