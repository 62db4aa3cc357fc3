/* Two threads meet at a word: one writes it, the other one reads it and then takes it as a lock. Before that both call
 * libc, which leaves other values in registers when the other thread has been there first. So the thread that waits is
 * in another state at its read although nothing that happened before differs. simul once took what it knew of one such
 * state for all there is, and said "complete": 3 traces, no bug in them. With "parts" the first write is to a half of
 * the word; what the word held before is not known from the trace, and simul once said "complete", too.
 * check: bug kind=assert traces=6 replays=3 : --keep-going --strategy optimal -- exchange
 * check: bug kind=assert traces=6 : --keep-going --strategy source -- exchange
 * check: bug kind=assert traces=6 : --keep-going --strategy optimal --shuffle 3 -- exchange
 * check: bug kind=assert traces=6 : --keep-going --strategy trust -- exchange
 * check: bug kind=assert traces=6 : --keep-going --jobs 2 --strategy optimal -- exchange
 * check: bug kind=assert traces=6 : --keep-going --isolation fork --strategy optimal -- exchange
 * check: bug kind=assert traces=6 : --keep-going --isolation exec --strategy optimal -- exchange
 * check: incomplete says=written_in_parts : --strategy optimal -- parts
 * check: incomplete says=written_in_parts : --strategy source --shuffle 3 -- parts
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static const char *how;
static volatile int plain;
static int got, before;

static void *writes(void *arg)
{
	if (!strcmp(how, "exchange") || !strcmp(how, "parts")) {
		if (!strcmp(how, "parts"))
			*(volatile short *)&plain = 2;
		else
			plain = 2;
		got = __atomic_exchange_n(&plain, 0, __ATOMIC_SEQ_CST);
	}
	return arg;
}

static void *waits(void *arg)
{
	if (!strcmp(how, "exchange") || !strcmp(how, "parts")) {
		int seen = plain;

		while (__atomic_exchange_n(&plain, 1, __ATOMIC_SEQ_CST))
			;
		before = seen;
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	how = argc > 1 ? argv[1] : "exchange";
	pthread_create(&a, NULL, writes, NULL);
	pthread_create(&b, NULL, waits, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(!(got == 1 && before == 0));
	return 0;
}
