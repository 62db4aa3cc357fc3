/* Tests with limits of time. `sleeps` and `waits` give another thread 5 s. The failure needs that time to pass while the thread could run, and the first line
 * of the report did not say so. In `woken` the thread that waits was signalled, and its hour passes nevertheless. `short` sleeps for 1 ms, `alone` fails where no other thread could run: there it says nothing.
 * build: gcc -g -O1 -pthread
 * check: bug kind=assert says=ASSERTION_FAILED_in_.*needs_5_s_to_pass_while_T0.1_could_run;_--time-model_discrete_leaves_such_schedules_out : -- sleeps
 * check: bug kind=assert says=needs_5_s_to_pass_while_T0.1_could_run : -- waits
 * check: complete : --time-model discrete -- sleeps
 * check: complete : --time-model discrete -- waits
 * check: complete : --patience 1s -- waits
 * check: bug kind=assert says=needs_3600_s_to_pass_while_T0.*could_run : -- woken
 * check: bug kind=assert never=s_to_pass : -- short
 * check: bug kind=assert never=s_to_pass : -- alone
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_loaded = PTHREAD_COND_INITIALIZER;
static int loaded, fired;
static const char *how;

static void *load(void *unused)
{
	pthread_mutex_lock(&m);
	loaded = strcmp(how, "alone");
	pthread_cond_signal(&is_loaded);
	pthread_mutex_unlock(&m);
	return unused;
}

static void pass_time(void)
{
	struct timespec t;
	if (!strcmp(how, "waits")) {
		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_sec += 5;
		pthread_mutex_lock(&m);
		while (!loaded && !pthread_cond_timedwait(&is_loaded, &m, &t))
			;
		pthread_mutex_unlock(&m);
	} else if (!strcmp(how, "short")) {
		usleep(1000);
	} else {
		sleep(5);
	}
}

static void *timer(void *unused)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += 3600;
	pthread_mutex_lock(&m);
	while (!loaded && !fired)
		fired = pthread_cond_timedwait(&is_loaded, &m, &t);
	pthread_mutex_unlock(&m);
	return unused;
}

static void stop_timer(void)
{
	pthread_t t;
	pthread_create(&t, NULL, timer, NULL);
	load(NULL);
	pthread_join(t, NULL);
	assert(!fired);
}

int main(int argc, char **argv)
{
	pthread_t t;
	how = argc > 1 ? argv[1] : "sleeps";
	if (!strcmp(how, "woken")) {
		stop_timer();
		return 0;
	}
	pthread_create(&t, NULL, load, NULL);
	if (!strcmp(how, "alone"))
		pthread_join(t, NULL);
	pass_time();
	pthread_mutex_lock(&m);
	assert(loaded);
	pthread_mutex_unlock(&m);
	if (strcmp(how, "alone"))
		pthread_join(t, NULL);
	return 0;
}
