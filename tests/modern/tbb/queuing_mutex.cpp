// An account behind a queuing_mutex; a scoped_lock that cannot be had at once is tried, and the transfer is done later.
// verdict: complete
#include <cassert>
#include <tbb/queuing_mutex.h>
#include <thread>

class account {
	tbb::queuing_mutex m;
	int balance = 10;

public:
	bool try_add(int amount)
	{
		tbb::queuing_mutex::scoped_lock lock;
		if (!lock.try_acquire(m))
			return false;
		balance += amount;
		return true;
	}

	int add(int amount)
	{
		tbb::queuing_mutex::scoped_lock lock(m);
		return balance += amount;
	}
};

int main()
{
	account a;
	std::thread other([&] { a.add(5); });
	int later = a.try_add(7) ? 0 : 7;
	other.join();
	assert(a.add(later) == 22);
}
