/* Two threads count by xadd, or take a lock by cmpxchg, without the lock prefix. Each instruction is then a load and a store, and the other thread's
 * instruction can run in between. simul once treated them as one step, and both programs were complete without a bug.
 * check: bug kind=assert replays=5 : -- add
 * check: bug kind=assert replays=5 : -- take
 * check: bug kind=assert : --model tso -- add
 * check: complete : -- add_locked
 * check: complete : -- take_locked
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int locked, take, count, lock;

static void add(void)
{
	int one = 1;

	if (locked)
		__asm__ volatile("lock xaddl %0, %1" : "+r"(one), "+m"(count) : : "cc");
	else
		__asm__ volatile("xaddl %0, %1" : "+r"(one), "+m"(count) : : "cc");
}

static void take_lock(void)
{
	int old = 0;

	if (locked)
		__asm__ volatile("lock cmpxchgl %2, %1" : "+a"(old), "+m"(lock) : "r"(1) : "cc");
	else
		__asm__ volatile("cmpxchgl %2, %1" : "+a"(old), "+m"(lock) : "r"(1) : "cc");
	if (old == 0)
		__atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
}

static void *run(void *unused)
{
	if (take)
		take_lock();
	else
		add();
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t;

	(void)argc;
	locked = strstr(argv[1], "locked") != NULL;
	take = strncmp(argv[1], "take", 4) == 0;
	pthread_create(&t, NULL, run, NULL);
	run(NULL);
	pthread_join(t, NULL);
	assert(count == (take ? 1 : 2));
	return 0;
}
