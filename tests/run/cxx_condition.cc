// condition_variable with wait_for and wait_until, condition_variable_any with a shared lock, notify_all_at_thread_exit.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

static std::mutex mutex;
static std::condition_variable changed;
static bool ready, finished;

int main()
{
	{
		std::unique_lock<std::mutex> lock(mutex);
		auto start = std::chrono::steady_clock::now();
		if (changed.wait_for(lock, 20ms, [] { return ready; }))
			return 1;
		if (std::chrono::steady_clock::now() - start < 20ms)
			return 2;
		auto wall = std::chrono::system_clock::now() + 5ms;
		if (changed.wait_until(lock, wall) != std::cv_status::timeout)
			return 3;
		if (std::chrono::system_clock::now() < wall)
			return 4;
	}
	std::thread setter([] {
		std::lock_guard<std::mutex> lock(mutex);
		ready = true;
		changed.notify_all();
	});
	{
		std::unique_lock<std::mutex> lock(mutex);
		while (!changed.wait_for(lock, 10s, [] { return ready; }))
			;
	}
	setter.join();

	std::thread last([] {
		std::unique_lock<std::mutex> lock(mutex);
		finished = true;
		std::notify_all_at_thread_exit(changed, std::move(lock));
	});
	{
		std::unique_lock<std::mutex> lock(mutex);
		changed.wait(lock, [] { return finished; });
	}
	last.join();

	std::shared_mutex shared;
	std::condition_variable_any any;
	bool open = false;
	std::thread opener([&] {
		std::unique_lock<std::shared_mutex> lock(shared);
		open = true;
		any.notify_one();
	});
	{
		std::shared_lock<std::shared_mutex> lock(shared);
		any.wait(lock, [&] { return open; });
	}
	opener.join();
	return 0;
}
