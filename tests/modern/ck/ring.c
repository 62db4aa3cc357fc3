// A producer and a consumer share a ck_ring; both look again when it is full or empty.
// verdict: complete
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>

static ck_ring_buffer_t buffer[2];
static ck_ring_t ring;
static int items[3];

static void *produce(void *unused)
{
	for (int i = 0; i < 3; i++)
		while (!ck_ring_enqueue_spsc(&ring, buffer, &items[i]))
			ck_pr_stall();
	return unused;
}

int main(void)
{
	pthread_t other;
	ck_ring_init(&ring, 2);
	pthread_create(&other, NULL, produce, NULL);
	for (int i = 0; i < 3; i++) {
		void *item;
		while (!ck_ring_dequeue_spsc(&ring, buffer, &item))
			ck_pr_stall();
		assert(item == &items[i]);
	}
	pthread_join(other, NULL);
	return 0;
}
