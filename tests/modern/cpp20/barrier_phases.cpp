// Two threads compute in phases; the barrier's completion function swaps the buffers.
// verdict: complete
#include <barrier>
#include <cassert>
#include <thread>
#include <utility>

int main()
{
	int cells[2][2] = {{1, 2}, {0, 0}}, *now = cells[0], *next = cells[1];
	std::barrier sync(2, [&]() noexcept { std::swap(now, next); });
	auto work = [&](int i) {
		for (int phase = 0; phase < 2; phase++) {
			next[i] = now[0] + now[1];
			sync.arrive_and_wait();
		}
	};
	std::thread t(work, 0);
	work(1);
	t.join();
	assert(now[0] == 6 && now[1] == 6);
}
