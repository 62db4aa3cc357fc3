// A pool with futures, and the mistakes that pools have.
// bugs: StopLosesTask WaitIdleTooEarly
// report StopLosesTask: pool.changed_
// report WaitIdleTooEarly: pool.idle_ WaitIdle
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

class ThreadPool {
public:
	ThreadPool(int workers, bool drain) : drain_(drain)
	{
		for (int i = 0; i < workers; i++)
			workers_.emplace_back([this] { Run(); });
	}

	~ThreadPool()
	{
		{
			std::lock_guard<std::mutex> lock(mutex_);
			stop_ = true;
		}
		changed_.notify_all();
		for (auto &w : workers_)
			w.join();
	}

	template <class F> auto Submit(F f) -> std::future<decltype(f())>
	{
		auto task = std::make_shared<std::packaged_task<decltype(f())()>>(f);
		auto result = task->get_future();
		{
			std::lock_guard<std::mutex> lock(mutex_);
			tasks_.push_back([task] { (*task)(); });
		}
		changed_.notify_one();
		return result;
	}

	void WaitIdle(bool count_running)
	{
		std::unique_lock<std::mutex> lock(mutex_);
		idle_.wait(lock, [&] { return tasks_.empty() && (!count_running || running_ == 0); });
	}

private:
	void Run()
	{
		std::unique_lock<std::mutex> lock(mutex_);
		for (;;) {
			changed_.wait(lock, [&] { return stop_ || !tasks_.empty(); });
			if (stop_ && (!drain_ || tasks_.empty()))
				return;
			auto task = std::move(tasks_.front());
			tasks_.pop_front();
			running_++;
			lock.unlock();
			task();
			lock.lock();
			running_--;
			idle_.notify_all();
		}
	}

	std::mutex mutex_;
	std::condition_variable changed_, idle_;
	std::deque<std::function<void()>> tasks_;
	std::vector<std::thread> workers_;
	int running_ = 0;
	bool stop_ = false;
	const bool drain_;
};

TEST(ThreadPool, OneWorkerTwoTasks)
{
	ThreadPool pool(1, true);
	auto a = pool.Submit([] { return 1; }), b = pool.Submit([] { return 2; });
	EXPECT_EQ(a.get() + b.get(), 3);
}

TEST(ThreadPool, TwoWorkersOneTask)
{
	ThreadPool pool(2, true);
	EXPECT_EQ(pool.Submit([] { return 7; }).get(), 7);
}

TEST(ThreadPool, DestructorDrains)
{
	std::atomic<int> ran{0};
	{
		ThreadPool pool(1, true);
		pool.Submit([&] { ran++; });
		pool.Submit([&] { ran++; });
	}
	EXPECT_EQ(ran, 2);
}

TEST(ThreadPool, Exception)
{
	ThreadPool pool(1, true);
	auto failed = pool.Submit([]() -> int { throw std::runtime_error("no"); });
	EXPECT_THROW(failed.get(), std::runtime_error);
}

TEST(ThreadPool, WaitIdle)
{
	int value = 0;
	ThreadPool pool(1, true);
	pool.Submit([&] { value = 1; });
	pool.WaitIdle(true);
	EXPECT_EQ(value, 1);
}

TEST(ThreadPool, StopLosesTask)
{
	std::atomic<int> ran{0};
	{
		ThreadPool pool(1, false);
		pool.Submit([&] { ran++; });
	}
	EXPECT_EQ(ran, 1);
}

TEST(ThreadPool, WaitIdleTooEarly)
{
	std::atomic<int> value{0};
	ThreadPool pool(1, true);
	pool.Submit([&] { value = 1; });
	pool.Submit([&] { value = 2; });
	pool.WaitIdle(false);
	EXPECT_EQ(value, 2);
}
