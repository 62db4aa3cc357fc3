// The second stage of a pipeline is parallel, but adds to a shared variable without protection.
// verdict: bug
#include <cassert>
#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>

int main()
{
	tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 2);
	int next = 0;
	volatile int sum = 0;
	tbb::parallel_pipeline(2, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control &fc) {
		if (next == 3)
			fc.stop();
		return next++;
	}) & tbb::make_filter<int, void>(tbb::filter_mode::parallel, [&](int n) { sum = sum + n; }));
	assert(sum == 3);
}
