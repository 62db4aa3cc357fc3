// Tasks of a group are expected to run in reverse order, as they do in one thread. Fails only if TBB's thread takes the first one.
// verdict: bug
#include <atomic>
#include <cassert>
#include <tbb/global_control.h>
#include <tbb/task_group.h>

int main()
{
	tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 2);
	std::atomic<int> last = 0;
	tbb::task_group group;
	group.run([&] { last = 1; });
	group.run([&] { last = 2; });
	group.wait();
	assert(last == 1);
}
