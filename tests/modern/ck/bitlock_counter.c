// Two threads push into a list whose head has a lock in its lowest bit (ck_pr_bts).
// verdict: complete
#include <assert.h>
#include <ck_pr.h>
#include <pthread.h>
#include <stdint.h>

struct item {
	struct item *next;
};
static uintptr_t head;

static void push(struct item *it)
{
	while (ck_pr_bts_64((uint64_t *)&head, 0))
		ck_pr_stall();
	it->next = (struct item *)(head & ~(uintptr_t)1);
	ck_pr_fence_unlock();
	ck_pr_store_64((uint64_t *)&head, (uint64_t)it);
}

static void *work(void *items)
{
	push(items);
	push((struct item *)items + 1);
	return NULL;
}

int main(void)
{
	static struct item items[4];
	pthread_t other;
	int n = 0;
	pthread_create(&other, NULL, work, items);
	work(items + 2);
	pthread_join(other, NULL);
	for (struct item *it = (struct item *)head; it; it = it->next)
		n++;
	assert(n == 4);
	return 0;
}
