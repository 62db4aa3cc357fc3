// Lazy values, one-shot events and guards.
// bugs: LazyWithoutLock EventResetTooSoon
// report LazyWithoutLock: value
// report EventResetTooSoon: e.changed_
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

TEST(Once, CallOnce)
{
	std::once_flag once;
	int made = 0;
	auto make = [&] { std::call_once(once, [&] { made++; }); };
	std::thread a(make), b(make);
	a.join();
	b.join();
	EXPECT_EQ(made, 1);
}

TEST(Once, FunctionStatic)
{
	static std::atomic<int> made{0};
	auto get = []() -> int & {
		static int value = (made++, 5);
		return value;
	};
	std::thread a([&] { EXPECT_EQ(get(), 5); });
	EXPECT_EQ(get(), 5);
	a.join();
	EXPECT_EQ(made, 1);
}

TEST(Once, LazyWithLock)
{
	std::mutex m;
	std::unique_ptr<int> value;
	auto get = [&] {
		std::lock_guard<std::mutex> lock(m);
		if (!value)
			value = std::make_unique<int>(5);
		return *value;
	};
	std::thread a([&] { EXPECT_EQ(get(), 5); });
	EXPECT_EQ(get(), 5);
	a.join();
}

TEST(Once, LazyWithoutLock)
{
	std::atomic<int *> value{nullptr};
	std::atomic<int> made{0};
	auto get = [&] {
		if (!value) {
			made++;
			value = new int(5);
		}
		return *value.load();
	};
	std::thread a([&] { EXPECT_EQ(get(), 5); });
	EXPECT_EQ(get(), 5);
	a.join();
	EXPECT_EQ(made, 1);
	delete value.load();
}

class Event {
public:
	void Set()
	{
		std::lock_guard<std::mutex> lock(mutex_);
		set_ = true;
		changed_.notify_all();
	}
	void Reset()
	{
		std::lock_guard<std::mutex> lock(mutex_);
		set_ = false;
	}
	void Wait()
	{
		std::unique_lock<std::mutex> lock(mutex_);
		changed_.wait(lock, [&] { return set_; });
	}

private:
	std::mutex mutex_;
	std::condition_variable changed_;
	bool set_ = false;
};

TEST(Once, EventSet)
{
	Event e;
	std::thread a([&] { e.Wait(); }), b([&] { e.Wait(); });
	e.Set();
	a.join();
	b.join();
}

TEST(Once, EventResetTooSoon)
{
	Event e;
	std::thread a([&] { e.Wait(); });
	e.Set();
	e.Reset();
	a.join();
}
