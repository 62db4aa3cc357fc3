/* A thread at a spin loop could have come there before a write that it finds done in each execution that was explored:
 * its start is independent of the write. What it finds there on its way to the exit makes a difference. simul once
 * looked only at the values since the thread came to the loop, and said "complete": 3, 5 and 2 traces, no bug.
 * check: bug kind=assert traces=6 replays=3 : --keep-going --strategy optimal -- exchange
 * check: bug kind=assert traces=6 : --keep-going --strategy source -- exchange
 * check: bug kind=assert traces=6 : --keep-going --strategy optimal --shuffle 3 -- exchange
 * check: bug kind=assert : --strategy trust -- exchange
 * check: bug kind=assert : --seed 3 --jobs 2 -- exchange
 * check: bug kind=assert : --isolation fork -- exchange
 * check: bug kind=assert : --jobs 1 -- twice
 * check: bug kind=assert : --seed 3 --jobs 1 -- twice
 * check: bug kind=assert : --strategy source -- collect
 * check: bug kind=assert : --strategy trust -- collect
 * check: bug kind=assert traces=9 : --keep-going --strategy bpor --preemptions 3 -- exchange
 * check: bug kind=assert : --strategy trust --preemptions 3 -- exchange
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

static const char *how;
static _Atomic int x;
static volatile int plain;
static int got, before;

static void *writes(void *arg)
{
	if (!strcmp(how, "exchange")) {
		plain = 2;
		got = __atomic_exchange_n(&plain, 0, __ATOMIC_SEQ_CST);
		return arg;
	}
	for (int i = strcmp(how, "collect") ? 1 : 2; i; i--) {
		x = 1;
		x = 0;
	}
	return arg;
}

static void *waits(void *arg)
{
	if (!strcmp(how, "exchange")) {
		int seen = plain;

		while (__atomic_exchange_n(&plain, 1, __ATOMIC_SEQ_CST))
			;
		before = seen;
	} else if (!strcmp(how, "twice")) {
		for (;;) {
			if (x == 0 && x == 1 && x == 0)
				assert(0);
			if (x == 0)
				break;
			sched_yield();
		}
	} else {
		int changed = 0;

		for (int turn = 0; turn < 2; turn++)
			for (;;) {
				int a = x, b = x, c = x;

				if (a == c) {
					changed += a != b;
					break;
				}
				sched_yield();
			}
		assert(changed < 2);
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	how = argv[1];
	pthread_create(&a, NULL, writes, NULL);
	pthread_create(&b, NULL, waits, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	if (!strcmp(how, "exchange"))
		assert(!(got == 1 && before == 0));
	return 0;
}
