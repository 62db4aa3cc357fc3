// A limiter lets one request in at a time and rejects the others at once, with try_acquire of a semaphore.
// verdict: complete
#include <atomic>
#include <cassert>
#include <semaphore>
#include <thread>

class limiter {
	std::counting_semaphore<1> tokens{1};
	std::atomic<int> inside = 0;

public:
	std::atomic<int> served = 0, rejected = 0;

	void request()
	{
		if (!tokens.try_acquire()) {
			rejected++;
			return;
		}
		assert(++inside == 1);
		served++;
		inside--;
		tokens.release();
	}
};

int main()
{
	limiter l;
	std::thread other([&] { l.request(); });
	l.request();
	other.join();
	assert(l.served + l.rejected == 2);
	assert(l.served >= 1);
	l.request();
	assert(l.served >= 2);
}
