/* The clocks agree with one another, never run backwards, and all of them advance during a sleep. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static long long ns(clockid_t clk)
{
	struct timespec ts;

	assert(clock_gettime(clk, &ts) == 0 && ts.tv_nsec >= 0 && ts.tv_nsec < 1000000000);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static void *sleeper(void *arg)
{
	long long mono = ns(CLOCK_MONOTONIC), real = ns(CLOCK_REALTIME);
	struct timespec ts = {.tv_nsec = 20000000};

	assert(nanosleep(&ts, NULL) == 0);
	assert(ns(CLOCK_MONOTONIC) - mono >= 20000000 && ns(CLOCK_REALTIME) - real >= 19000000);
	return NULL;
}

/* A time of one clock, turned into one of another with both (as GLib does it), is not earlier than it was. */
static void converted(void)
{
	long long start = ns(CLOCK_MONOTONIC), until = ns(CLOCK_REALTIME) + 20000000;
	long long here = ns(CLOCK_MONOTONIC), on_mono = here + until - ns(CLOCK_REALTIME);
	struct timespec ts = {.tv_sec = on_mono / 1000000000, .tv_nsec = on_mono % 1000000000};

	assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == 0);
	assert(ns(CLOCK_MONOTONIC) - start >= 20000000);
}

int main(void)
{
	pthread_t t;
	struct timeval tv;
	struct timespec ts;

	assert(pthread_create(&t, NULL, sleeper, NULL) == 0);
	time_t s = time(NULL);
	assert(gettimeofday(&tv, NULL) == 0 && tv.tv_sec - s <= 1);
	assert(timespec_get(&ts, TIME_UTC) == TIME_UTC && ts.tv_sec - s <= 2);
	assert(clock_gettime(12345, &ts) == -1 && errno == EINVAL);

	long long before = ns(CLOCK_MONOTONIC);
	clock_gettime(CLOCK_MONOTONIC, &ts);
	ts.tv_nsec += 30000000;
	if (ts.tv_nsec >= 1000000000) {
		ts.tv_sec++;
		ts.tv_nsec -= 1000000000;
	}
	assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == 0);
	assert(ns(CLOCK_MONOTONIC) - before >= 30000000);
	ts.tv_sec = 1; /* long ago */
	assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == 0);
	ts.tv_nsec = -1;
	assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL) == EINVAL);
	assert(usleep(1) == 0 && sleep(0) == 0);
	sched_yield();
	thrd_yield();
	before = ns(CLOCK_MONOTONIC);
	pthread_join(t, NULL);
	assert(ns(CLOCK_MONOTONIC) >= before);
	converted();
	return 0;
}
