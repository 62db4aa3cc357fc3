// Workers wait for a common start at a latch, then add to a counter.
// verdict: complete
#include <atomic>
#include <cassert>
#include <latch>
#include <thread>

int main()
{
	std::latch start(1), done(2);
	std::atomic<int> sum = 0;
	auto work = [&](int n) {
		start.wait();
		sum += n;
		done.count_down();
	};
	std::thread a(work, 1), b(work, 2);
	start.count_down();
	done.wait();
	assert(sum == 3);
	a.join();
	b.join();
}
