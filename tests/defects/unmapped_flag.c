/* Threads unmap memory that a spin loop has read, or that another thread has exchanged before it waits at a barrier. simul read that memory again to
 * check whether the loop had an effect, and reported its own SIGSEGV as a crash of the program.
 * build: gcc -g -O1 -pthread
 * check: complete : -- spin
 * check: complete : --model tso -- spin
 * check: complete : -- barrier
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

static atomic_int *flag, other;
static pthread_barrier_t barrier;

static void *sets_other(void *arg)
{
	atomic_store(&other, 1);
	return arg;
}

static void *sets_flag(void *arg)
{
	atomic_store(flag, 1);
	return arg;
}

static void *spins(void *arg)
{
	atomic_int *f = flag;

	while (!atomic_load(f))
		;
	munmap((void *)f, 4096);
	atomic_load(&other);
	return arg;
}

static void *waits(void *arg)
{
	atomic_exchange(flag, 1);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	atomic_load(&other);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[3];
	int spin = !strcmp(argv[1], "spin");

	flag = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&t[0], NULL, spin ? spins : waits, NULL);
	pthread_create(&t[1], NULL, sets_other, NULL);
	if (spin) {
		pthread_create(&t[2], NULL, sets_flag, NULL);
		pthread_join(t[2], NULL);
	} else {
		atomic_load(flag);
		pthread_barrier_wait(&barrier);
		munmap((void *)flag, 4096);
		pthread_barrier_wait(&barrier);
	}
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
