// Two threads push on a lock-free stack, a third takes the whole list.
// verdict: complete
#include <atomic>
#include <cassert>
#include <thread>

struct node {
	int value;
	node *next;
};

static std::atomic<node *> head = nullptr;

static void push(node *n)
{
	n->next = head.load();
	while (!head.compare_exchange_weak(n->next, n))
		;
}

static int take()
{
	int sum = 0;
	for (node *n = head.exchange(nullptr); n; n = n->next)
		sum += n->value;
	return sum;
}

int main()
{
	node a{1, nullptr}, b{2, nullptr};
	std::thread s([&] { push(&a); }), t([&] { push(&b); });
	int sum = take();
	s.join();
	t.join();
	assert(sum + take() == 3);
}
