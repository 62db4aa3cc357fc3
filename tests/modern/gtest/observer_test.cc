// Observers that come and go while they are notified.
// bugs: CallbackUnderLock RemovedWhileCalled
// report CallbackUnderLock: s.mutex_ model
// report RemovedWhileCalled: s.mutex_ value
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

class Subject {
public:
	int Add(std::function<void()> f)
	{
		std::lock_guard<std::mutex> lock(mutex_);
		observers_[next_] = std::make_shared<std::function<void()>>(std::move(f));
		return next_++;
	}

	void Remove(int id)
	{
		std::lock_guard<std::mutex> lock(mutex_);
		observers_.erase(id);
	}

	void Notify()
	{
		std::map<int, std::shared_ptr<std::function<void()>>> copy;
		{
			std::lock_guard<std::mutex> lock(mutex_);
			copy = observers_;
		}
		for (auto &o : copy)
			(*o.second)();
	}

	void NotifyLocked()
	{
		std::lock_guard<std::mutex> lock(mutex_);
		for (auto &o : observers_)
			(*o.second)();
	}

private:
	std::mutex mutex_;
	std::map<int, std::shared_ptr<std::function<void()>>> observers_;
	int next_ = 0;
};

TEST(Observer, AddWhileNotified)
{
	Subject s;
	std::atomic<int> calls{0};
	s.Add([&] { calls++; });
	std::thread t([&] { s.Add([&] { calls++; }); });
	s.Notify();
	t.join();
	EXPECT_GE(calls, 1);
}

TEST(Observer, RemoveWhileNotified)
{
	Subject s;
	std::atomic<int> calls{0};
	int id = s.Add([&] { calls++; });
	std::thread t([&] { s.Remove(id); });
	s.Notify();
	t.join();
	EXPECT_LE(calls, 1);
}

TEST(Observer, NotifiedTwice)
{
	Subject s;
	std::atomic<int> calls{0};
	s.Add([&] { calls++; });
	std::thread t([&] { s.Notify(); });
	s.Notify();
	t.join();
	EXPECT_EQ(calls, 2);
}

TEST(Observer, CallbackUnderLock)
{
	Subject s;
	std::mutex model;
	s.Add([&] { std::lock_guard<std::mutex> lock(model); });
	std::thread t([&] { s.NotifyLocked(); });
	{
		std::lock_guard<std::mutex> lock(model);
		s.Add([] {});
	}
	t.join();
}

TEST(Observer, RemovedWhileCalled)
{
	Subject s;
	auto value = std::make_unique<int>(1);
	int id = s.Add([&] { EXPECT_EQ(*value, 1); });
	std::thread t([&] { s.Notify(); });
	s.Remove(id);
	value.reset();
	t.join();
}
