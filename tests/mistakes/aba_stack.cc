// A pool of connections as a lock-free stack. The thread that takes one sees the same first connection again, although the pool has changed.
// kind: aba
// says: since pool.top_ was
// says: put the value back (aba_stack.cc:
// says: .next, which T0.1 had read as well
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

struct Connection {
	Connection *next = nullptr;
	std::atomic<int> users{0};
};

class Pool {
public:
	void give(Connection *c)
	{
		c->next = top_.load();
		while (!top_.compare_exchange_strong(c->next, c)) {
		}
	}

	Connection *take()
	{
		Connection *c = top_.load();

		while (c && !top_.compare_exchange_strong(c, c->next)) {
		}
		return c;
	}

private:
	std::atomic<Connection *> top_{nullptr};
};

TEST(Pool, NoConnectionIsTakenTwice)
{
	Connection all[3];
	Pool pool;

	for (auto &c : all)
		pool.give(&c);
	Connection *mine = nullptr;
	std::thread other([&] { mine = pool.take(); });
	Connection *first = pool.take(), *second = pool.take();
	pool.give(first);
	other.join();
	Connection *last = pool.take();
	EXPECT_NE(last, second);
}
