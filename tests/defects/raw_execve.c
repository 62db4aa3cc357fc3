/* A thread executes another program by a system call without libc, while another thread runs. The other program has a bug, which natively shows in
 * one run of 20; without it the program has none. simul once said `complete` in half of the searches: the process ended with status 0.
 * check: incomplete traces=4 says=exec_by_a_program_with_threads : --exit any --no-minimize -- 1
 * check: incomplete says=exec_by_a_program_with_threads : --isolation exec -- 2
 * check: complete : -- 0
 * long: incomplete says=exec_by_a_program_with_threads : --isolation fork -- 2
 * long: incomplete says=exec_by_a_program_with_threads : -- 3
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int x, y;
static int how;

static void *become(void *unused)
{
	char *argv[] = {"raw_execve", "second", NULL}, *empty[] = {NULL};

	if (how == 1)
		syscall(SYS_execve, "/proc/self/exe", argv, empty);
	if (how == 2)
		syscall(SYS_execve, "/proc/self/exe", argv, environ);
	if (how == 3)
		syscall(SYS_execveat, AT_FDCWD, "/proc/self/exe", argv, environ, 0);
	return NULL;
}

static void *nothing(void *unused)
{
	return NULL;
}

static void *first(void *unused)
{
	atomic_store(&x, 1);
	return (void *)(long)!atomic_load(&y);
}

static void *second(void *unused)
{
	atomic_store(&y, 1);
	return (void *)(long)!atomic_load(&x);
}

int main(int argc, char **argv)
{
	pthread_t a, b;
	void *r, *s;
	int other = argc > 1 && !strcmp(argv[1], "second");

	how = argc > 1 ? atoi(argv[1]) : 1;
	pthread_create(&a, NULL, other ? first : become, NULL);
	pthread_create(&b, NULL, other ? second : nothing, NULL);
	pthread_join(a, &r);
	pthread_join(b, &s);
	if (other && !r && s)
		abort();
	return 0;
}
