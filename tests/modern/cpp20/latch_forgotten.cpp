// A worker that finds nothing to do returns without counting down the latch.
// verdict: bug
#include <atomic>
#include <latch>
#include <thread>

int main()
{
	std::latch done(2);
	std::atomic<int> left = 1;
	auto work = [&] {
		if (left.load() == 0)
			return;
		left = 0;
		done.count_down();
	};
	std::thread a(work), b(work);
	done.wait();
	a.join();
	b.join();
}
