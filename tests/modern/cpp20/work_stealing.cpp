// The deque of Chase and Lev: the owner pushes and pops at the bottom, a thief steals from the top, and each item is taken once.
// verdict: complete
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>

class deque {
	std::atomic<long> top = 0, bottom = 0;
	std::atomic<int> items[4];

public:
	void push(int item)
	{
		long b = bottom.load(std::memory_order_relaxed);
		items[b % 4].store(item, std::memory_order_relaxed);
		bottom.store(b + 1, std::memory_order_release);
	}

	std::optional<int> pop()
	{
		long b = bottom.load(std::memory_order_relaxed) - 1;
		bottom.store(b);
		long t = top.load();
		if (t > b) {
			bottom.store(b + 1);
			return {};
		}
		int item = items[b % 4].load(std::memory_order_relaxed);
		if (t == b) {
			bool won = top.compare_exchange_strong(t, t + 1);
			bottom.store(b + 1);
			if (!won)
				return {};
		}
		return item;
	}

	std::optional<int> steal()
	{
		long t = top.load();
		if (t >= bottom.load())
			return {};
		int item = items[t % 4].load(std::memory_order_relaxed);
		if (!top.compare_exchange_strong(t, t + 1))
			return {};
		return item;
	}
};

int main()
{
	deque d;
	int stolen = 0, popped = 0;
	d.push(1);
	d.push(2);
	std::thread thief([&] {
		for (int i = 0; i < 2; i++)
			stolen += d.steal().value_or(0);
	});
	for (int i = 0; i < 2; i++)
		popped += d.pop().value_or(0);
	thief.join();
	popped += d.pop().value_or(0);
	assert(stolen + popped == 3);
}
