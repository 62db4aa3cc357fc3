// A flag is set without the lock between the waiter's test and its wait: the notification is lost.
// verdict: bug
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

int main()
{
	std::mutex m;
	std::condition_variable changed;
	std::atomic<bool> ready = false;
	std::thread t([&] {
		ready = true;
		changed.notify_one();
	});
	{
		std::unique_lock lock(m);
		while (!ready)
			changed.wait(lock);
	}
	t.join();
}
