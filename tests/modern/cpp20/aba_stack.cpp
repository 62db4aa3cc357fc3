// A lock-free stack reuses a node between another thread's load and its compare-and-swap.
// verdict: bug
#include <atomic>
#include <cassert>
#include <thread>

struct node {
	std::atomic<node *> next = nullptr;
	std::atomic<bool> in_use = false;
};

static node a, b;
static std::atomic<node *> head = nullptr;

static void push(node *n)
{
	n->in_use = false;
	node *old = head;
	do
		n->next = old;
	while (!head.compare_exchange_weak(old, n));
}

static node *pop()
{
	node *old = head;
	while (old && !head.compare_exchange_weak(old, old->next))
		;
	if (old)
		assert(!old->in_use.exchange(true));
	return old;
}

int main()
{
	push(&b);
	push(&a);
	std::thread t([] { pop(); });
	node *first = pop(), *second = pop();
	if (first)
		push(first);
	pop();
	t.join();
	(void)second;
}
