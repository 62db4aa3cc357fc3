/* The shared memory lies on the stacks of main and of a thread that creates another one. Reading and writing are two steps. */
#include <atomic>
#include <cassert>
#include <thread>
#include "window.h"
static void add(std::atomic<int> &to)
{
	int n = to;

	window(1);
	to = n + 1;
}
int main()
{
	std::atomic<int> total{0};
	std::thread a([&] {
		std::atomic<int> own{0};
		std::thread inner([&] { own++; });

		own++;
		inner.join();
		assert(own == 2);
		add(total);
	});
	std::thread b([&] { add(total); });

	a.join();
	b.join();
	assert(total == 2);
	return 0;
}
