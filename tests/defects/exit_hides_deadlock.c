/* Main returns while other threads still run. Where two of them wait for each other's locks, the process ends with status 0 all the same. The
 * verdict was complete, without a word about it. A thread that waits for work is no such thread, nor one that waits for a lock of main, or whose
 * wait ends in time.
 * check: complete traces=3 says=no_bug;_in_1_of_3_executions_threads_T0.1_and_T0.2_waited_for_each_other_for_ever_when_the_process_ended_.exit.hides.deadlock.c.[0-9]*,_exit.hides.deadlock.c.[0-9]*. : -- mutex
 * check: complete traces=3 says=in_1_of_3_executions_threads_T0.1_and_T0.2_waited_for_each_other_for_ever : --strategy optimal --jobs 2 -- mutex
 * check: complete says=in_[12]_of_[0-9]*_executions_threads_T0.1_and_T0.2_waited_for_each_other_for_ever : --exit any -- mutex
 * check: complete traces=3 says=in_1_of_3_executions_threads_T0.1_and_T0.2_waited_for_each_other_for_ever : -- word
 * check: complete traces=3 says=in_1_of_3_executions_threads_T0.1_and_T0.2_waited_for_each_other_for_ever : --model tso -- word
 * check: complete traces=3 says=in_1_of_3_executions_threads_T0.1_and_T0.2_waited_for_each_other_for_ever : -- exchange
 * check: complete traces=3 says=in_1_of_3_executions_threads_T0.1_and_T0.2_waited_for_each_other_for_ever : -- spin
 * check: complete says=threads_T0.1_and_T0.2_waited_for_each_other_for_ever : -- readers
 * check: complete says=threads_T0.1_and_T0.1.1_waited_for_each_other_for_ever : -- join
 * check: complete says=thread_T0.1_waited_for_itself_for_ever : -- twice
 * check: bug kind=deadlock never=waited_for_each_other : -- joined
 * check: complete never=waited_for : -- ordered
 * check: complete never=waited_for : -- timed
 * check: complete never=waited_for : -- condition
 * check: complete never=waited_for : -- slots
 * check: complete never=waited_for : -- main
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin[2];
static atomic_int word[2], slot[2];
static const char *how;

static int is(const char *word)
{
	return strcmp(how, word) == 0;
}

static int take(int n)
{
	struct timespec soon;
	int zero = 0;

	if (is("word")) {
		while (!atomic_compare_exchange_strong(&word[n], &zero, 1))
			zero = 0;
	} else if (is("exchange")) {
		while (atomic_exchange(&word[n], 1))
			;
	} else if (is("spin")) {
		pthread_spin_lock(&spin[n]);
	} else if (is("timed")) {
		clock_gettime(CLOCK_REALTIME, &soon);
		soon.tv_sec++;
		return pthread_mutex_timedlock(n ? &b : &a, &soon) == 0;
	} else {
		pthread_mutex_lock(n ? &b : &a);
	}
	return 1;
}

static void give(int n)
{
	if (is("word") || is("exchange"))
		atomic_store(&word[n], 0);
	else if (is("spin"))
		pthread_spin_unlock(&spin[n]);
	else
		pthread_mutex_unlock(n ? &b : &a);
}

static void *both(void *arg)
{
	int first = arg && !is("ordered");

	if (!take(first))
		return NULL;
	if (take(!first))
		give(!first);
	give(first);
	return NULL;
}

static void *waits(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_cond_wait(&work, &a);
	pthread_mutex_unlock(&a);
	return arg;
}

/* Another reader holds the lock, too, and waits for work. */
static void *reads(void *arg)
{
	pthread_rwlock_rdlock(&rw);
	waits(arg);
	pthread_rwlock_unlock(&rw);
	return arg;
}

/* Holds the lock for reading and waits for the other thread, which waits for all readers. */
static void *crosses(void *arg)
{
	pthread_t t;

	if (arg) {
		pthread_mutex_lock(&b);
		pthread_rwlock_wrlock(&rw);
		pthread_rwlock_unlock(&rw);
		pthread_mutex_unlock(&b);
		return NULL;
	}
	pthread_create(&t, NULL, reads, NULL);
	pthread_rwlock_rdlock(&rw);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_rwlock_unlock(&rw);
	return NULL;
}

static void *locks_a(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *joins(void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, locks_a, NULL);
	pthread_mutex_lock(&a);
	pthread_join(t, NULL);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *twice(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&a);
	return arg;
}

/* Takes two jobs, one from each slot. Then it waits for another in the slot that the other worker has emptied. */
static void *worker(void *arg)
{
	int n = arg != NULL, full;

	for (int k = 0; k < 2; k++, n = !n)
		for (full = 1; !atomic_compare_exchange_strong(&slot[n], &full, 0); full = 1)
			;
	return NULL;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void *(*run)(void *);
	} other[] = {{"readers", crosses}, {"join", joins}, {"twice", twice}, {"condition", waits}, {"slots", worker}, {"main", locks_a}};
	void *(*run)(void *) = both;
	pthread_t t[2];

	if (argc < 2)
		return 2;
	how = argv[1];
	for (unsigned i = 0; i < sizeof(other) / sizeof(*other); i++)
		run = is(other[i].name) ? other[i].run : run;
	pthread_spin_init(&spin[0], PTHREAD_PROCESS_PRIVATE);
	pthread_spin_init(&spin[1], PTHREAD_PROCESS_PRIVATE);
	if (is("main"))
		pthread_mutex_lock(&a);
	pthread_create(&t[0], NULL, run, NULL);
	if (run == both || run == crosses || run == waits || run == worker)
		pthread_create(&t[1], NULL, run, argv);
	if (is("slots")) {
		atomic_store(&slot[0], 1);
		atomic_store(&slot[1], 1);
	}
	if (is("joined")) {
		pthread_join(t[0], NULL);
		pthread_join(t[1], NULL);
	}
	return 0;
}
