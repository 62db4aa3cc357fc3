// A writer fills the back buffer while a reader sums up the front one; the completion step of a barrier swaps them.
// verdict: complete
#include <barrier>
#include <cassert>
#include <thread>
#include <utility>

struct frames {
	int storage[2][2] = {{1, 2}, {0, 0}};
	int *front = storage[0], *back = storage[1];
	int swaps = 0;
};

int main()
{
	frames f;
	auto swap = [&]() noexcept {
		std::swap(f.front, f.back);
		f.swaps++;
	};
	std::barrier phase(2, swap);
	std::thread writer([&] {
		f.back[0] = 10;
		f.back[1] = 20;
		phase.arrive_and_wait();
	});
	int sums[2];
	sums[0] = f.front[0] + f.front[1];
	phase.arrive_and_wait();
	sums[1] = f.front[0] + f.front[1];
	writer.join();
	assert(f.swaps == 1);
	assert(sums[0] == 3 && sums[1] == 30);
}
