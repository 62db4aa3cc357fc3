/* main spins on two variables, one of them in its own frame. The worker threads get the address of that one late.
 * check: complete : --jobs 1 --strategy optimal --keep-going
 * long: complete : --jobs 1 --model tso --keep-going
 */
#include <pthread.h>
#include <stdatomic.h>
struct job {
	int spare;
	atomic_int done;
};
static atomic_int stop;
static _Atomic(struct job *) where;
static void *worker(void *u)
{
	struct job *j = atomic_load(&where);
	if (j)
		atomic_fetch_add(&j->done, 1);
	else
		atomic_exchange(&stop, 1);
	return 0;
}
int main(void)
{
	pthread_t t[2];
	struct job j = { 0 };
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, worker, 0);
	atomic_store(&where, &j);
	while (atomic_load(&j.done) < 1 && !atomic_load(&stop))
		;
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	return 0;
}
