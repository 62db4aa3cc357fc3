// Counters, limits and flags of std::atomic.
// bugs: LostUpdate TwoFlags MaximumLost
// report LostUpdate: n counter_test.cc
// report TwoFlags: want[0] want[1] inside
// report MaximumLost: most
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

TEST(Counter, FetchAdd)
{
	std::atomic<int> n{0};
	std::thread a([&] { n++; }), b([&] { n++; });
	a.join();
	b.join();
	EXPECT_EQ(n, 2);
}

TEST(Counter, CompareAndSwapLoop)
{
	std::atomic<int> n{1};
	auto twice = [&] {
		int old = n;
		while (!n.compare_exchange_weak(old, old * 2))
			;
	};
	std::thread a(twice), b(twice);
	a.join();
	b.join();
	EXPECT_EQ(n, 4);
}

TEST(Counter, OnlyOneWins)
{
	std::atomic<bool> taken{false};
	std::atomic<int> winners{0};
	auto take = [&] { winners += !taken.exchange(true); };
	std::thread a(take), b(take), c(take);
	a.join();
	b.join();
	c.join();
	EXPECT_EQ(winners, 1);
}

TEST(Counter, ReferenceCount)
{
	std::atomic<int> references{2};
	int freed = 0;
	auto drop = [&] {
		if (--references == 0)
			freed++;
	};
	std::thread a(drop);
	drop();
	a.join();
	EXPECT_EQ(freed, 1);
}

TEST(Counter, MessagePassing)
{
	int message = 0;
	std::atomic<bool> ready{false};
	std::thread t([&] {
		message = 5;
		ready.store(true, std::memory_order_release);
	});
	if (ready.load(std::memory_order_acquire))
		EXPECT_EQ(message, 5);
	t.join();
}

TEST(Counter, LostUpdate)
{
	std::atomic<int> n{0};
	auto add = [&] { n = n + 1; };
	std::thread a(add), b(add);
	a.join();
	b.join();
	EXPECT_EQ(n, 2);
}

TEST(Counter, TwoFlags)
{
	std::atomic<int> want[2] = {{0}, {0}}, inside{0};
	auto enter = [&](int i) {
		if (!want[1 - i]) {
			want[i] = 1;
			EXPECT_EQ(++inside, 1);
			--inside;
			want[i] = 0;
		}
	};
	std::thread t(enter, 0);
	enter(1);
	t.join();
}

TEST(Counter, MaximumLost)
{
	std::atomic<int> most{0};
	auto see = [&](int v) {
		if (v > most)
			most = v;
	};
	std::thread a(see, 1), b(see, 2);
	a.join();
	b.join();
	EXPECT_EQ(most, 2);
}
