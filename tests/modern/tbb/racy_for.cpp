// The body of a parallel_for adds to a shared variable without protection.
// verdict: bug
#include <cassert>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

int main()
{
	tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 2);
	volatile int hits = 0;
	tbb::parallel_for(0, 4, [&](int) { hits = hits + 1; });
	assert(hits == 4);
}
