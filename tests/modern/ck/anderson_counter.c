// Two threads add to a counter under Anderson's lock, which has a slot for each thread.
// verdict: complete
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>

static struct ck_spinlock_anderson_thread slots[2];
static ck_spinlock_anderson_t lock;
static int hits;

static void *count(void *unused)
{
	for (int i = 0; i < 2; i++) {
		struct ck_spinlock_anderson_thread *slot;
		ck_spinlock_anderson_lock(&lock, &slot);
		hits++;
		ck_spinlock_anderson_unlock(&lock, slot);
	}
	return unused;
}

int main(void)
{
	pthread_t other;
	ck_spinlock_anderson_init(&lock, slots, 2);
	pthread_create(&other, NULL, count, NULL);
	count(NULL);
	pthread_join(other, NULL);
	assert(hits == 4);
	return 0;
}
