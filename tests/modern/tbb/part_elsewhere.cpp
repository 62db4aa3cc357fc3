// The parts of a sum note where they ran in a variable of their thread, and only the main thread's is looked at.
// verdict: bug
#include <cassert>
#include <functional>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_reduce.h>

static thread_local int parts;

int main()
{
	tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 2);
	using range = tbb::blocked_range<int>;
	int sum = tbb::parallel_reduce(range(1, 3), 0, [](const range &r, int part) {
		for (int n = r.begin(); n < r.end(); n++, parts++)
			part += n;
		return part;
	}, std::plus<>());
	assert(sum == 3);
	assert(parts == 2);
}
