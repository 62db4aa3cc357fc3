// Lazy initialisation with std::atomic: the pointer that a failed compare_exchange finds is used, see cas_orders.c.
#include <atomic>
#include <cassert>
#include <thread>

struct object {
	int value = 9;
};

static std::atomic<object *> instance;

static int use()
{
	object *mine = new object, *found = nullptr;
	if (instance.compare_exchange_strong(found, mine, std::SUCCESS_ORDER, std::FAILURE_ORDER))
		return mine->value;
	delete mine;
	return found->value;
}

int main()
{
	std::thread a([] { assert(use() == 9); }), b([] { assert(use() == 9); });
	a.join();
	b.join();
	delete instance.load();
}
