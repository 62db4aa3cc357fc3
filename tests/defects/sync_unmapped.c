/* A synchronisation object in a mapping that another thread removes. The order of the two was not tried: complete, one trace. Natively the call
 * crashes in one of them. Each object, first with the thread that removes the mapping created before the call, then joined before (a crash in each
 * execution) and joined after the call's end (none).
 * check: bug kind=crash says=the_call_uses_a_mutex_in_memory_that_is_not_mapped replays=3 : -- mutex
 * check: bug kind=crash says=in_memory_that_is_not_mapped : --strategy exhaustive -- mutex
 * check: bug kind=crash says=in_memory_that_is_not_mapped : --model tso -- mutex
 * check: bug kind=crash : -- sem
 * check: bug kind=crash : -- rwlock
 * check: bug kind=crash : -- cond
 * check: bug kind=crash : -- spin
 * check: bug kind=crash : -- barrier
 * check: bug kind=crash : -- mutex moved
 * check: bug kind=crash says=memory_that_is_not_mapped : -- mutex before
 * check: bug kind=crash : -- sem before
 * check: complete traces=1 : -- mutex after
 * check: complete traces=1 : -- sem after
 * check: complete traces=1 : -- barrier after
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void *memory;
static const char *when = "";

static void *removes(void *x)
{
	if (!strcmp(when, "moved"))
		mremap(memory, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, (char *)memory + (1 << 20));
	else
		munmap(memory, 4096);
	return x;
}

static void init(const char *what)
{
	if (!strcmp(what, "mutex"))
		pthread_mutex_init(memory, NULL);
	else if (!strcmp(what, "sem"))
		sem_init(memory, 0, 0);
	else if (!strcmp(what, "rwlock"))
		pthread_rwlock_init(memory, NULL);
	else if (!strcmp(what, "cond"))
		pthread_cond_init(memory, NULL);
	else if (!strcmp(what, "spin"))
		pthread_spin_init(memory, 0);
	else
		pthread_barrier_init(memory, NULL, 1);
}

static void use(const char *what)
{
	if (!strcmp(what, "mutex")) {
		pthread_mutex_lock(memory);
		pthread_mutex_unlock(memory);
	} else if (!strcmp(what, "sem")) {
		sem_post(memory);
	} else if (!strcmp(what, "rwlock")) {
		pthread_rwlock_rdlock(memory);
		pthread_rwlock_unlock(memory);
	} else if (!strcmp(what, "cond")) {
		pthread_cond_signal(memory);
	} else if (!strcmp(what, "spin")) {
		pthread_spin_lock(memory);
		pthread_spin_unlock(memory);
	} else {
		pthread_barrier_wait(memory);
	}
}

int main(int argc, char **argv)
{
	pthread_t t;

	if (argc < 2)
		return 2;
	when = argc > 2 ? argv[2] : "";
	memory = mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	init(argv[1]);
	if (!strcmp(when, "after")) {
		use(argv[1]);
		pthread_create(&t, NULL, removes, NULL);
		pthread_join(t, NULL);
		return 0;
	}
	pthread_create(&t, NULL, removes, NULL);
	if (!strcmp(when, "before"))
		pthread_join(t, NULL);
	use(argv[1]);
	if (strcmp(when, "before"))
		pthread_join(t, NULL);
	return 0;
}
