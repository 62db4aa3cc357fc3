// The waiter sees the flag and destroys the event while the other thread has yet to notify it: notify_one uses freed memory.
// verdict: bug
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

class event {
	std::mutex m;
	std::condition_variable changed;
	bool happened = false;

public:
	void set()
	{
		{
			std::lock_guard lock(m);
			happened = true;
		}
		changed.notify_one();
	}

	void wait()
	{
		std::unique_lock lock(m);
		changed.wait(lock, [&] { return happened; });
	}
};

int main()
{
	auto finished = std::make_unique<event>();
	std::thread t([e = finished.get()] { e->set(); });
	finished->wait();
	finished.reset();
	t.join();
}
