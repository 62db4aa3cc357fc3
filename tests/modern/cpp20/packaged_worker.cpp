// A worker runs packaged tasks; a value and an exception come back through their futures.
// verdict: complete
#include <cassert>
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <thread>

class worker {
	std::mutex m;
	std::condition_variable changed;
	std::queue<std::packaged_task<int()>> tasks;
	bool closed = false;
	std::thread thread{[this] { run(); }};

	void run()
	{
		std::unique_lock lock(m);
		for (;;) {
			changed.wait(lock, [&] { return closed || !tasks.empty(); });
			if (tasks.empty())
				return;
			auto task = std::move(tasks.front());
			tasks.pop();
			lock.unlock();
			task();
			lock.lock();
		}
	}

public:
	std::future<int> submit(std::function<int()> f)
	{
		std::packaged_task<int()> task(std::move(f));
		auto result = task.get_future();
		std::lock_guard lock(m);
		tasks.push(std::move(task));
		changed.notify_one();
		return result;
	}

	~worker()
	{
		{
			std::lock_guard lock(m);
			closed = true;
		}
		changed.notify_one();
		thread.join();
	}
};

int main()
{
	worker w;
	auto good = w.submit([] { return 42; });
	auto bad = w.submit([]() -> int { throw std::out_of_range("index"); });
	assert(good.get() == 42);
	try {
		bad.get();
		assert(!"the exception is lost");
	} catch (const std::out_of_range &) {
	}
}
