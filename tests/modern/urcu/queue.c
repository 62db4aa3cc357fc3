// A producer and a consumer share the wait-free queue cds_wfcq; the consumer waits until both items are there.
// verdict: complete
#include <assert.h>
#include <pthread.h>
#include <urcu/wfcqueue.h>

struct item {
	struct cds_wfcq_node node;
	int value;
};
static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;

static void *produce(void *unused)
{
	static struct item items[2];
	for (int i = 0; i < 2; i++) {
		cds_wfcq_node_init(&items[i].node);
		items[i].value = i + 1;
		cds_wfcq_enqueue(&head, &tail, &items[i].node);
	}
	return unused;
}

int main(void)
{
	pthread_t producer;
	cds_wfcq_init(&head, &tail);
	pthread_create(&producer, NULL, produce, NULL);
	for (int i = 0; i < 2;) {
		struct cds_wfcq_node *node = cds_wfcq_dequeue_blocking(&head, &tail);
		if (node)
			assert(caa_container_of(node, struct item, node)->value == ++i);
	}
	pthread_join(producer, NULL);
	return 0;
}
