// Two consumers test with `if`. One is woken after the other has taken the element.
// verdict: bug
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

int main()
{
	std::mutex m;
	std::condition_variable changed;
	std::deque<int> queue;
	int taken = 0;
	auto take = [&] {
		std::unique_lock lock(m);
		if (queue.empty())
			changed.wait(lock);
		assert(!queue.empty());
		taken += queue.front();
		queue.pop_front();
	};
	std::thread a(take), b(take);
	for (int i = 1; i <= 2; i++) {
		std::lock_guard lock(m);
		queue.push_back(i);
		changed.notify_all();
	}
	a.join();
	b.join();
	assert(taken == 3);
}
