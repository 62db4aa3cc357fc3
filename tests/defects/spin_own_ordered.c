/* A thread spins on a global variable. It also reads a variable in its own frame that another thread writes before it changes the global. Both
 * accesses of that variable are ordered, so it is not shared memory. But the thread must not be blocked because of its state before the write.
 * check: complete traces=2 : --jobs 1 --strategy optimal --keep-going
 */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int turn, gate;
static _Atomic(int *) where;
static void *spinner(void *u)
{
	int how = 0;
	atomic_store(&where, &how);
	for (;;) {
		int t = atomic_load_explicit(&turn, memory_order_acquire);
		if (t == 2 || (t == 1 && how == 7))
			return 0;
	}
}
static void *writer(void *u)
{
	int *p;
	while (!(p = atomic_load(&where)))
		;
	int g = atomic_load(&gate);
	if (g)
		*p = 7;
	atomic_store_explicit(&turn, 1, memory_order_release);
	if (!g)
		atomic_store_explicit(&turn, 2, memory_order_release);
	return 0;
}
static void *opener(void *u) { atomic_store(&gate, 1); return 0; }
int main(void)
{
	pthread_t t[3];
	pthread_create(&t[0], 0, spinner, 0); pthread_create(&t[1], 0, writer, 0); pthread_create(&t[2], 0, opener, 0);
	for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
	return 0;
}
