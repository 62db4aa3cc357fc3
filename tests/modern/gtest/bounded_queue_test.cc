// A bounded queue of a mutex and two condition variables.
// bugs: NotifyOneForTwoKinds CloseForgetsWaiters
// report NotifyOneForTwoKinds: q.changed_ q.mutex_ OneConditionQueue::Pop
// report CloseForgetsWaiters: q.not_empty_
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

class BoundedQueue {
public:
	explicit BoundedQueue(size_t capacity) : capacity_(capacity) {}

	bool Push(int v)
	{
		std::unique_lock<std::mutex> lock(mutex_);
		not_full_.wait(lock, [&] { return closed_ || queue_.size() < capacity_; });
		if (closed_)
			return false;
		queue_.push_back(v);
		not_empty_.notify_one();
		return true;
	}

	std::optional<int> Pop()
	{
		std::unique_lock<std::mutex> lock(mutex_);
		not_empty_.wait(lock, [&] { return closed_ || !queue_.empty(); });
		if (queue_.empty())
			return {};
		int v = queue_.front();
		queue_.pop_front();
		not_full_.notify_one();
		return v;
	}

	void Close()
	{
		std::lock_guard<std::mutex> lock(mutex_);
		closed_ = true;
		not_full_.notify_all();
		not_empty_.notify_all();
	}

protected:
	std::mutex mutex_;
	std::condition_variable not_full_, not_empty_;
	std::deque<int> queue_;
	size_t capacity_;
	bool closed_ = false;
};

TEST(BoundedQueue, KeepsOrder)
{
	BoundedQueue q(1);
	std::thread producer([&] {
		for (int i = 0; i < 3; i++)
			q.Push(i);
	});
	for (int i = 0; i < 3; i++)
		EXPECT_EQ(q.Pop(), i);
	producer.join();
}

TEST(BoundedQueue, TwoProducers)
{
	BoundedQueue q(1);
	std::thread a([&] { q.Push(1); }), b([&] { q.Push(2); });
	EXPECT_EQ(*q.Pop() + *q.Pop(), 3);
	a.join();
	b.join();
}

TEST(BoundedQueue, TwoConsumers)
{
	BoundedQueue q(2);
	std::vector<int> got(2);
	std::thread a([&] { got[0] = q.Pop().value_or(0); }), b([&] { got[1] = q.Pop().value_or(0); });
	q.Push(1);
	q.Push(2);
	a.join();
	b.join();
	EXPECT_EQ(got[0] + got[1], 3);
}

TEST(BoundedQueue, CloseWakesConsumers)
{
	BoundedQueue q(1);
	std::thread a([&] { EXPECT_FALSE(q.Pop()); }), b([&] { EXPECT_FALSE(q.Pop()); });
	q.Close();
	a.join();
	b.join();
}

TEST(BoundedQueue, CloseWakesProducer)
{
	BoundedQueue q(1);
	q.Push(1);
	std::thread a([&] { EXPECT_FALSE(q.Push(2)); });
	q.Close();
	a.join();
	EXPECT_EQ(q.Pop(), 1);
}

// One condition variable for both kinds of waiters: notify_one can wake the wrong one.
class OneConditionQueue {
public:
	void Push(int v)
	{
		std::unique_lock<std::mutex> lock(mutex_);
		changed_.wait(lock, [&] { return queue_.empty(); });
		queue_.push_back(v);
		changed_.notify_one();
	}

	int Pop()
	{
		std::unique_lock<std::mutex> lock(mutex_);
		changed_.wait(lock, [&] { return !queue_.empty(); });
		int v = queue_.front();
		queue_.pop_front();
		changed_.notify_one();
		return v;
	}

private:
	std::mutex mutex_;
	std::condition_variable changed_;
	std::deque<int> queue_;
};

TEST(BoundedQueue, NotifyOneForTwoKinds)
{
	OneConditionQueue q;
	std::thread a([&] { q.Pop(); }), b([&] { q.Pop(); }), c([&] { q.Push(1); });
	q.Push(2);
	a.join();
	b.join();
	c.join();
}

class ForgetfulQueue : public BoundedQueue {
public:
	using BoundedQueue::BoundedQueue;
	void CloseOne()
	{
		std::lock_guard<std::mutex> lock(mutex_);
		closed_ = true;
		not_empty_.notify_one();
	}
};

TEST(BoundedQueue, CloseForgetsWaiters)
{
	ForgetfulQueue q(1);
	std::thread a([&] { q.Pop(); }), b([&] { q.Pop(); });
	q.CloseOne();
	a.join();
	b.join();
}
