/* A thread gets the address of a local variable of a function that returns, and another function's frame takes its place. That is an error, except
 * where the thread was given an address in the newer frame: through a mutex, an atomic store without order, a plain variable, or a pipe.
 * build: gcc -g -O1 -pthread
 * build: gcc -g -O1 -pthread -fsanitize=thread
 * check: bug kind=memory says=dead_stack_frame._T0.1_reads_4_bytes_of_a_stack_frame_that_T0_has_left : -- left
 * check: bug kind=memory says=dead_stack_frame._T0.1_reads_4_bytes_of_a_stack_frame_that_T0_has_left : -- atomic_left
 * check: bug kind=memory says=dead_stack_frame._T0.1_reads_4_bytes_of_a_stack_frame_that_T0_has_left : --model tso -- left
 * check: complete : --no-memory-check -- left
 * check: complete : -- alive
 * check: complete : -- mutex
 * check: complete : -- relaxed
 * check: complete : -- plain
 * check: complete : -- pipe
 * check: complete : --model tso -- relaxed
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static pthread_t t;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int word;
static _Atomic(int *) relaxed;
static int *volatile plain;
static int *guarded;
static int ends[2];
static volatile int seen;

static void *reads(void *arg)
{
	seen = *(volatile int *)arg;
	return NULL;
}

static void *reads_later(void *arg)
{
	atomic_load(&word);
	return reads(arg);
}

static void *takes_mutex(void *arg)
{
	pthread_mutex_lock(&m);
	int *p = guarded;
	pthread_mutex_unlock(&m);
	return p ? reads(p) : arg;
}

static void *loads(void *arg)
{
	int *p = atomic_load_explicit(&relaxed, memory_order_relaxed);
	return p ? reads(p) : arg;
}

static void *looks(void *arg)
{
	int *p = plain;
	return p ? reads(p) : arg;
}

static void *receives(void *arg)
{
	int *p;
	return read(ends[0], &p, sizeof p) == sizeof p ? reads(p) : arg;
}

static __attribute__((noinline)) void start(void *(*routine)(void *))
{
	volatile int local[100] = { 0 };
	pthread_create(&t, NULL, routine, (void *)&local[90]);
}

static __attribute__((noinline)) void start_and_join(void)
{
	volatile int local[20] = { 0 };
	pthread_create(&t, NULL, reads, (void *)&local[10]);
	pthread_join(t, NULL);
}

/* Its frame covers that of start. */
static __attribute__((noinline)) void join(const char *how)
{
	volatile int local[60] = { 0 };
	int *p = (int *)&local[30];
	atomic_store(&word, 1);
	if (!strcmp(how, "mutex")) {
		pthread_mutex_lock(&m);
		guarded = p;
		pthread_mutex_unlock(&m);
	} else if (!strcmp(how, "relaxed")) {
		atomic_store_explicit(&relaxed, p, memory_order_relaxed);
	} else if (!strcmp(how, "plain")) {
		plain = p;
	} else if (!strcmp(how, "pipe")) {
		if (write(ends[1], &p, sizeof p) != sizeof p)
			_exit(3);
	}
	pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *how;
		void *(*routine)(void *);
	} all[] = { { "left", reads }, { "atomic_left", reads_later }, { "mutex", takes_mutex }, { "relaxed", loads }, { "plain", looks }, { "pipe", receives } };
	if (argc != 2 || pipe(ends))
		return 2;
	if (!strcmp(argv[1], "alive")) {
		start_and_join();
		return 0;
	}
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
		if (!strcmp(argv[1], all[i].how))
			start(all[i].routine);
	join(argv[1]);
	return 0;
}
