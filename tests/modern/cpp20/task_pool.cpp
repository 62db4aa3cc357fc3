// A pool of two workers runs packaged tasks, and its destructor waits for all of them.
// verdict: complete
#include <cassert>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

class pool {
public:
	explicit pool(int n)
	{
		for (int i = 0; i < n; i++)
			workers_.emplace_back([this] { run(); });
	}
	~pool()
	{
		{
			std::lock_guard lock(m_);
			closed_ = true;
		}
		changed_.notify_all();
		for (auto &w : workers_)
			w.join();
	}
	std::future<int> submit(int n)
	{
		std::packaged_task<int()> task([n] { return n * 2; });
		auto result = task.get_future();
		{
			std::lock_guard lock(m_);
			tasks_.push_back(std::move(task));
		}
		changed_.notify_one();
		return result;
	}

private:
	void run()
	{
		for (;;) {
			std::unique_lock lock(m_);
			changed_.wait(lock, [this] { return closed_ || !tasks_.empty(); });
			if (tasks_.empty())
				return;
			auto task = std::move(tasks_.front());
			tasks_.pop_front();
			lock.unlock();
			task();
		}
	}

	std::mutex m_;
	std::condition_variable changed_;
	std::deque<std::packaged_task<int()>> tasks_;
	bool closed_ = false;
	std::vector<std::thread> workers_;
};

int main()
{
	std::future<int> result;
	{
		pool p(2);
		result = p.submit(4);
	}
	assert(result.get() == 8);
}
