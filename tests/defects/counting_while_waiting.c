/* A thread counts while it waits for a flag that no thread has accessed yet. It must yield, so that the writer can start. Without a writer the
 * program hangs; a replay of this must not depend on how often the thread yielded before.
 * check: incomplete never=hang : --jobs 1 --max-steps 2000 --executions 3
 * long: bug kind=hang : --jobs 1 --hang-timeout 2s --no-minimize -- alone
 */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static long rounds;
static void *waits(void *u)
{
	while (!atomic_load(&flag))
		rounds++;
	return 0;
}
static void *sets(void *u)
{
	atomic_store(&flag, 1);
	return 0;
}
int main(int argc, char **argv)
{
	pthread_t t[2];
	int n = argc > 1 ? 1 : 2;
	pthread_create(&t[0], 0, waits, 0);
	if (n > 1)
		pthread_create(&t[1], 0, sets, 0);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], 0);
	return 0;
}
