/* A thread that main does not wait for loops for ever: it beats, sleeps, waits with a limit of time, polls or takes a lock, as watchdogs and threads
 * for metrics do. Once there was one execution a second, or the verdict was incomplete after a few executions. Two turns of such a loop are tried
 * (docs/rounds.md). `sees`: both counting threads read the number of beats, 0 to 2 each, and there are four orders of the counter. `ticks`: two such threads,
 * one works at each tick of the other one. `needs`: the test needs more turns to end. `fails`: the thread fails at the fourth turn.
 * build: gcc -g -O1 -pthread
 * check: bounded traces=4 says=complete;_threads_that_looped_without_end_tried_up_to_2_rounds : --jobs 1 -- beats
 * check: bounded traces=4 says=complete;_threads_that_looped_without_end : --jobs 1 -- sleeps
 * check: bounded traces=4 : --jobs 1 --shuffle 3 -- sleeps
 * check: bounded traces=4 : --jobs 1 --strategy source -- sleeps
 * check: bounded traces=4 : --jobs 1 --isolation fork -- sleeps
 * check: bounded traces=4 : --jobs 1 --patience 1s -- sleeps
 * check: bounded traces=4 : --jobs 1 --time-model discrete -- beats
 * check: bounded traces=4 : --jobs 1 -- waits
 * check: bounded traces=4 : --jobs 1 -- futex
 * check: bounded traces=4 : --jobs 1 -- polls
 * check: bounded traces=4 : --jobs 1 -- locks
 * check: bounded traces=36 : --jobs 1 -- sees
 * check: bounded traces=36 : --jobs 1 --strategy trust -- sees
 * check: bounded says=threads_that_looped_without_end : --jobs 2 -- sees
 * check: bounded says=complete_up_to_1_preemption;_threads_that_looped_without_end : --preemptions 1 -- sees
 * check: bounded says=threads_that_looped_without_end : --jobs 1 -- ticks
 * check: incomplete says=no_execution_ended : --jobs 1 -- needs
 * check: bug kind=assert : --jobs 1 -- fails
 * check: bug kind=assert replays=2 : --jobs 1 -- beats wrong
 * check: bug kind=assert replays=2 : --jobs 1 -- sleeps wrong
 * check: bug kind=assert replays=2 : --jobs 1 -- sees wrong
 */
#include <assert.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t tick;
static atomic_int beats, word;
static int counter, ends[2];
static const char *how;

static int is(const char *name)
{
	return !strcmp(how, name);
}

static void wait_a_moment(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec++;
	pthread_mutex_lock(&m);
	pthread_cond_timedwait(&never, &m, &t);
	pthread_mutex_unlock(&m);
}

static void turn(void)
{
	struct timespec ms = { 0, 1000000 };
	struct pollfd p = { ends[0], POLLIN, 0 };
	if (is("sleeps") || is("needs") || is("fails"))
		usleep(1000);
	if (is("waits"))
		wait_a_moment();
	if (is("futex"))
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &ms, NULL, 0);
	if (is("polls"))
		poll(&p, 1, 10);
	if (is("ticks"))
		sem_wait(&tick);
	if (is("locks"))
		pthread_mutex_lock(&m);
	int n = ++beats;
	if (is("locks"))
		pthread_mutex_unlock(&m);
	assert(!is("fails") || n < 4);
}

static void *beat(void *unused)
{
	for (;;)
		turn();
	return unused;
}

static void *ticks(void *unused)
{
	for (;;) {
		sem_post(&tick);
		usleep(1000);
	}
	return unused;
}

static void *count(void *unused)
{
	counter++;
	if (is("sees"))
		assert(beats >= 0);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t background, one, two;
	how = argc > 1 ? argv[1] : "beats";
	sem_init(&tick, 0, 0);
	assert(!pipe(ends));
	pthread_create(&background, NULL, beat, NULL);
	if (is("ticks"))
		pthread_create(&background, NULL, ticks, NULL);
	pthread_create(&one, NULL, count, NULL);
	pthread_create(&two, NULL, count, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	while (is("needs") && beats < 5)
		usleep(10);
	assert(argc > 2 ? counter == 2 : counter >= 1);
	return 0;
}
