// A producer and a consumer share a concurrent queue.
// verdict: complete
#include <cassert>
#include <tbb/concurrent_queue.h>
#include <thread>

int main()
{
	tbb::concurrent_queue<int> queue;
	std::thread producer([&] {
		queue.push(1);
		queue.push(2);
	});
	int first, second;
	while (!queue.try_pop(first))
		std::this_thread::yield();
	while (!queue.try_pop(second))
		std::this_thread::yield();
	assert(first == 1 && second == 2);
	producer.join();
}
