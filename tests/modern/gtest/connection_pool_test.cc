// A pool of connections with a fixture.
// bugs: ReleaseWithoutNotify AcquireTwiceDeadlock
// report ReleaseWithoutNotify: available_
// report AcquireTwiceDeadlock: available_
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

struct Connection {
	int id;
	bool in_use = false;
};

class ConnectionPoolTest : public testing::Test {
protected:
	void SetUp() override
	{
		for (int i = 0; i < 1; i++)
			free_.push_back(std::make_unique<Connection>(Connection{i}));
	}

	std::unique_ptr<Connection> Acquire()
	{
		std::unique_lock<std::mutex> lock(mutex_);
		available_.wait(lock, [&] { return !free_.empty(); });
		auto c = std::move(free_.back());
		free_.pop_back();
		EXPECT_FALSE(c->in_use);
		c->in_use = true;
		return c;
	}

	void Release(std::unique_ptr<Connection> c, bool notify = true)
	{
		c->in_use = false;
		{
			std::lock_guard<std::mutex> lock(mutex_);
			free_.push_back(std::move(c));
		}
		if (notify)
			available_.notify_one();
	}

	std::mutex mutex_;
	std::condition_variable available_;
	std::vector<std::unique_ptr<Connection>> free_;
};

TEST_F(ConnectionPoolTest, OneForTwo)
{
	auto use = [&] { Release(Acquire()); };
	std::thread t(use);
	use();
	t.join();
	EXPECT_EQ(free_.size(), 1u);
}

TEST_F(ConnectionPoolTest, OneForThree)
{
	auto use = [&] { Release(Acquire()); };
	std::thread a(use), b(use);
	use();
	a.join();
	b.join();
	EXPECT_EQ(free_.size(), 1u);
}

TEST_F(ConnectionPoolTest, Grows)
{
	std::thread t([&] { Release(std::make_unique<Connection>(Connection{9})); });
	auto a = Acquire(), b = Acquire();
	EXPECT_NE(a->id, b->id);
	t.join();
}

TEST_F(ConnectionPoolTest, ReleaseWithoutNotify)
{
	auto use = [&] { Release(Acquire(), false); };
	std::thread t(use);
	use();
	t.join();
}

TEST_F(ConnectionPoolTest, AcquireTwiceDeadlock)
{
	free_.push_back(std::make_unique<Connection>(Connection{1}));
	auto use = [&] {
		auto a = Acquire(), b = Acquire();
		Release(std::move(a));
		Release(std::move(b));
	};
	std::thread t(use);
	use();
	t.join();
}
