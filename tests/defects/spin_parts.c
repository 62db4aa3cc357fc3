/* A thread spins on a word of which another one has written a half before. What the word held before that write is not
 * known from the trace, so it is not known either whether the thread could have found it and gone elsewhere. simul once
 * said "complete".
 * check: incomplete says=written_in_parts : --strategy optimal
 * check: incomplete says=written_in_parts : --strategy source --shuffle 3
 */
#include <assert.h>
#include <pthread.h>

static volatile int word;
static int got, before;

static void *writes(void *arg)
{
	*(volatile short *)&word = 2;
	got = __atomic_exchange_n(&word, 0, __ATOMIC_SEQ_CST);
	return arg;
}

static void *waits(void *arg)
{
	int seen = word;

	while (__atomic_exchange_n(&word, 1, __ATOMIC_SEQ_CST))
		;
	before = seen;
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writes, NULL);
	pthread_create(&b, NULL, waits, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(!(got == 1 && before == 0));
	return 0;
}
