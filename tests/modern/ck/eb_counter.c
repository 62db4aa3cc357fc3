// Two threads add to a counter under ck_spinlock_lock_eb, which doubles its pause after each failed attempt.
// verdict: complete
// unfinished: each failed attempt doubles the pause, so the loop has a new state each time
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>

static ck_spinlock_t lock = CK_SPINLOCK_INITIALIZER;
static int hits;

static void *count(void *unused)
{
	for (int i = 0; i < 2; i++) {
		ck_spinlock_lock_eb(&lock);
		hits++;
		ck_spinlock_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, NULL, count, NULL);
	count(NULL);
	pthread_join(other, NULL);
	assert(hits == 4);
	return 0;
}
