// std::async computes two halves.
// verdict: complete
#include <cassert>
#include <future>
#include <numeric>
#include <vector>

int main()
{
	std::vector<int> v{1, 2, 3, 4};
	auto half = [&](int from) { return std::accumulate(v.begin() + from, v.begin() + from + 2, 0); };
	auto a = std::async(std::launch::async, half, 0), b = std::async(std::launch::async, half, 2);
	assert(a.get() + b.get() == 10);
}
