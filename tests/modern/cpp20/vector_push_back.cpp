// Two threads append to one vector.
// verdict: bug
#include <cassert>
#include <thread>
#include <vector>

int main()
{
	std::vector<int> v;
	std::thread t([&] { v.push_back(1); });
	v.push_back(2);
	t.join();
	assert(v.size() == 2);
}
