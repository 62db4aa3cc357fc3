// A cache with a limit, with one lock, and with a lock-free look at the number of entries.
// bugs: SizeCheckedOutside IteratorKept
// report SizeCheckedOutside: c.mutex_
// report IteratorKept: c.mutex_
#include <atomic>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>

#include <gtest/gtest.h>

class LruCache {
public:
	explicit LruCache(size_t limit) : limit_(limit) {}

	std::optional<int> Get(int key)
	{
		std::lock_guard<std::mutex> lock(mutex_);
		auto it = index_.find(key);
		if (it == index_.end())
			return {};
		order_.splice(order_.begin(), order_, it->second);
		return it->second->second;
	}

	void Put(int key, int value)
	{
		std::lock_guard<std::mutex> lock(mutex_);
		Insert(key, value);
		Shrink();
	}

	// The bug: another thread can insert between the two sections.
	void PutInTwoSteps(int key, int value)
	{
		{
			std::lock_guard<std::mutex> lock(mutex_);
			if (order_.size() >= limit_)
				order_.size() && (index_.erase(order_.back().first), order_.pop_back(), 0);
		}
		std::lock_guard<std::mutex> lock(mutex_);
		Insert(key, value);
	}

	size_t Size()
	{
		std::lock_guard<std::mutex> lock(mutex_);
		return order_.size();
	}

	// The bug: the reference outlives the lock.
	const int *Peek(int key)
	{
		std::lock_guard<std::mutex> lock(mutex_);
		auto it = index_.find(key);
		return it == index_.end() ? nullptr : &it->second->second;
	}

private:
	void Insert(int key, int value)
	{
		auto it = index_.find(key);
		if (it != index_.end())
			order_.erase(it->second);
		order_.emplace_front(key, value);
		index_[key] = order_.begin();
	}

	void Shrink()
	{
		while (order_.size() > limit_) {
			index_.erase(order_.back().first);
			order_.pop_back();
		}
	}

	std::mutex mutex_;
	std::list<std::pair<int, int>> order_;
	std::unordered_map<int, std::list<std::pair<int, int>>::iterator> index_;
	const size_t limit_;
};

TEST(LruCache, PutAndGet)
{
	LruCache c(2);
	std::thread t([&] { c.Put(1, 10); });
	auto seen = c.Get(1);
	EXPECT_TRUE(!seen || *seen == 10);
	t.join();
	EXPECT_EQ(c.Get(1), 10);
}

TEST(LruCache, LimitHolds)
{
	LruCache c(1);
	std::thread a([&] { c.Put(1, 10); }), b([&] { c.Put(2, 20); });
	a.join();
	b.join();
	EXPECT_EQ(c.Size(), 1u);
}

TEST(LruCache, LastOneStays)
{
	LruCache c(1);
	std::thread a([&] { c.Put(1, 10); }), b([&] { c.Put(2, 20); });
	a.join();
	b.join();
	EXPECT_NE(c.Get(1).has_value(), c.Get(2).has_value());
}

TEST(LruCache, ReadersMove)
{
	LruCache c(2);
	c.Put(1, 10);
	c.Put(2, 20);
	std::thread a([&] { c.Get(1); }), b([&] { c.Put(3, 30); });
	a.join();
	b.join();
	EXPECT_EQ(c.Size(), 2u);
	EXPECT_TRUE(c.Get(3));
}

TEST(LruCache, SizeCheckedOutside)
{
	LruCache c(1);
	std::thread a([&] { c.PutInTwoSteps(1, 10); }), b([&] { c.PutInTwoSteps(2, 20); });
	a.join();
	b.join();
	EXPECT_EQ(c.Size(), 1u);
}

TEST(LruCache, IteratorKept)
{
	LruCache c(1);
	c.Put(1, 10);
	std::thread t([&] { c.Put(2, 20); });
	if (const int *p = c.Peek(1))
		EXPECT_EQ(*p, 10);
	t.join();
}
