// GoogleTest with std::thread tests, as one meets them: fixtures, a thread-safe queue, assertions in worker threads.
#include <atomic>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

template <typename T> class Queue {
public:
	void push(T v)
	{
		std::lock_guard<std::mutex> lock(mutex_);
		items_.push_back(std::move(v));
		changed_.notify_one();
	}
	T pop()
	{
		std::unique_lock<std::mutex> lock(mutex_);
		changed_.wait(lock, [this] { return !items_.empty() || closed_; });
		if (items_.empty())
			throw std::runtime_error("closed");
		T v = std::move(items_.front());
		items_.pop_front();
		return v;
	}
	void close()
	{
		std::lock_guard<std::mutex> lock(mutex_);
		closed_ = true;
		changed_.notify_all();
	}

private:
	std::mutex mutex_;
	std::condition_variable changed_;
	std::deque<T> items_;
	bool closed_ = false;
};

class QueueTest : public ::testing::Test {
protected:
	Queue<int> queue;
};

TEST_F(QueueTest, HandsOverWhatWasPushed)
{
	std::thread producer([this] {
		for (int i = 1; i <= 3; i++)
			queue.push(i);
	});
	for (int i = 1; i <= 3; i++)
		EXPECT_EQ(queue.pop(), i);
	producer.join();
}

TEST_F(QueueTest, CloseWakesAllConsumers)
{
	std::atomic<int> closed{0};
	std::vector<std::thread> consumers;
	for (int i = 0; i < 2; i++)
		consumers.emplace_back([&] { EXPECT_THROW(queue.pop(), std::runtime_error); closed++; });
	queue.close();
	for (auto &t : consumers)
		t.join();
	EXPECT_EQ(closed, 2);
}

TEST_F(QueueTest, ConsumerThatTimesOutDoesNotLoseItems)
{
	auto result = std::async(std::launch::async, [this] { return queue.pop(); });
	while (result.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready)
		queue.push(5);
	EXPECT_EQ(result.get(), 5);
}

TEST(Assertions, InWorkerThreadsAreRecorded)
{
	std::thread t([] { EXPECT_EQ(1 + 1, 2); SUCCEED(); });
	t.join();
	EXPECT_FALSE(::testing::Test::HasFailure());
}

// Run with --gtest_also_run_disabled_tests: fails in some schedules only.
TEST(Race, DISABLED_SecondThreadSeesTheFirst)
{
	std::mutex mutex;
	int order = 0, second = 0;
	std::thread a([&] { std::lock_guard<std::mutex> lock(mutex); ++order; });
	std::thread b([&] { std::lock_guard<std::mutex> lock(mutex); second = ++order; });
	a.join();
	b.join();
	EXPECT_EQ(second, 2);
}
