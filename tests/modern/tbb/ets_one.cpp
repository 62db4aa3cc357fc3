// The first cell of an enumerable_thread_specific is taken for the sum.
// verdict: bug
#include <cassert>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

int main()
{
	tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 2);
	tbb::enumerable_thread_specific<int> hits(0);
	tbb::parallel_for(0, 2, [&](int) { hits.local()++; });
	assert(*hits.begin() == 2);
}
