/* Threads wait in loops whose private state decides how long: they count their tries, read a clock, sleep longer each time. Each number of turns is another
 * trace, without end. The search tries two turns of such loops and says so (docs/rounds.md), whatever the order of the search. A loop that ends by itself keeps
 * all its turns: `reader` loads a variable 100 times, which gives 101 traces. `gives_up` fails after 3000 tries. `followed` has so much work after the loop that
 * 20 turns would come too late.
 * build: gcc -g -O1 -pthread
 * build: gcc -g -O0 -pthread
 * check: bounded traces=4 says=complete;_waiting_loops_tried_up_to_2_rounds : --jobs 1 --strategy optimal -- trylock
 * check: bounded traces=4 : --jobs 1 --strategy optimal --shuffle 3 -- trylock
 * check: bounded traces=4 : --jobs 1 --strategy source -- trylock
 * check: bounded says=tried_up_to_2_rounds : -- trylock
 * check: bounded says=tried_up_to_2_rounds : --isolation exec -- trylock
 * check: bounded says=tried_up_to_2_rounds : --jobs 2 -- timed
 * check: bounded says=tried_up_to_2_rounds : -- sleeps
 * check: bounded says=tried_up_to_2_rounds : -- swap
 * check: complete traces=101 : --jobs 1 --strategy optimal -- reader
 * check: bounded says=tried_up_to_2_rounds : --jobs 1 --strategy optimal --executions 300 -- followed
 * check: bounded says=tried_up_to_2_rounds : --jobs 1 --strategy source --executions 300 -- followed
 * check: bug kind=assert : --jobs 1 --strategy optimal -- gives_up
 * check: bug kind=assert : -- gives_up
 * check: incomplete says=no_end_in_sight : --executions 30 -- reader 30000
 * check: incomplete : --max-steps 5000 --executions 30 -- never
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int word, total;
static int turns = 100;
static const char *how;

static void wait_timed(void)
{
	struct timespec t;

	do {
		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_nsec += 1000000;
		if (t.tv_nsec >= 1000000000) {
			t.tv_sec++;
			t.tv_nsec -= 1000000000;
		}
	} while (pthread_mutex_timedlock(&m, &t) == ETIMEDOUT);
}

static void *worker(void *arg)
{
	long n = 0;

	if (!strcmp(how, "swap") || !strcmp(how, "sleeps")) {
		while (atomic_exchange(&word, 1))
			if (++n && *how == 's' && how[1] == 'l')
				usleep(10 * (unsigned)n);
		atomic_store(&word, 0);
		return arg;
	}
	if (!strcmp(how, "timed"))
		wait_timed();
	else
		while (pthread_mutex_trylock(&m)) {
			n++;
			assert(n < 3000 || strcmp(how, "gives_up"));
			sched_yield();
		}
	pthread_mutex_unlock(&m);
	return arg;
}

static void *reader(void *arg)
{
	long sum = 0;

	for (int i = 0; i < turns; i++)
		sum += atomic_load(&word);
	return (void *)sum;
}

static void *writer(void *arg)
{
	atomic_store(&word, 1);
	return arg;
}

static void *follow(void *arg)
{
	long n = 0;

	if (arg)
		atomic_store(&word, 1);
	else
		while (!atomic_load(&word))
			if (++n > 6)
				sched_yield();
	for (int i = 0; i < 3; i++)
		n += atomic_fetch_add(&total, 1);
	return (void *)n;
}

int main(int argc, char **argv)
{
	pthread_t t, u;

	how = argv[1];
	if (argc > 2)
		turns = atoi(argv[2]);
	if (!strcmp(how, "followed")) {
		pthread_create(&t, NULL, follow, NULL);
		follow(&t);
		pthread_join(t, NULL);
		return 0;
	}
	if (!strcmp(how, "never"))
		pthread_mutex_lock(&m);
	pthread_create(&t, NULL, strcmp(how, "reader") ? worker : reader, NULL);
	pthread_create(&u, NULL, strcmp(how, "reader") ? worker : writer, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
