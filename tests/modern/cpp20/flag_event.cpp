// An event that is set once: two threads wait on an atomic_flag, and one call wakes both.
// verdict: complete
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

class event {
	std::atomic_flag happened = ATOMIC_FLAG_INIT;

public:
	void set()
	{
		happened.test_and_set(std::memory_order_release);
		happened.notify_all();
	}
	void wait() { happened.wait(false, std::memory_order_acquire); }
	bool is_set() const { return happened.test(std::memory_order_acquire); }
};

int main()
{
	event loaded;
	std::string settings;
	auto use = [&] {
		loaded.wait();
		assert(loaded.is_set());
		assert(settings == "verbose");
	};
	std::thread a(use), b(use);
	settings = "verbose";
	loaded.set();
	a.join();
	b.join();
}
