// Two workers fill their parts of an array and count a latch down; the thread that waits at the latch reads the whole array.
// verdict: complete
#include <array>
#include <cassert>
#include <latch>
#include <numeric>
#include <thread>

class measurement {
	std::array<int, 4> samples{};
	std::latch missing{2};

public:
	void fill(int from, int value)
	{
		samples[from] = value;
		samples[from + 1] = value + 1;
		missing.count_down();
	}

	int total()
	{
		missing.wait();
		assert(missing.try_wait());
		return std::accumulate(samples.begin(), samples.end(), 0);
	}
};

int main()
{
	measurement m;
	std::jthread low([&] { m.fill(0, 1); });
	std::jthread high([&] { m.fill(2, 10); });
	assert(m.total() == 24);
}
