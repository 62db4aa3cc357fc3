// A limit is tested and a counter increased in two atomic operations.
// verdict: bug
#include <atomic>
#include <cassert>
#include <thread>

int main()
{
	std::atomic<int> in_use = 0;
	auto enter = [&] {
		if (in_use < 1) {
			in_use++;
			assert(in_use <= 1);
			in_use--;
		}
	};
	std::thread a(enter), b(enter);
	a.join();
	b.join();
}
