// Fails only if TBB's thread takes both tasks of a group.
// verdict: bug
#include <cassert>
#include <atomic>
#include <tbb/global_control.h>
#include <tbb/task_group.h>
#include <thread>

int main()
{
	tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 2);
	auto me = std::this_thread::get_id();
	std::atomic<int> elsewhere = 0;
	tbb::task_group group;
	group.run([&] { elsewhere += std::this_thread::get_id() != me; });
	group.run([&] { elsewhere += std::this_thread::get_id() != me; });
	group.wait();
	assert(elsewhere < 2);
}
