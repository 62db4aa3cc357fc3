// Three tests; the last one is wrong: between the look at the queue and taking from it the other thread may take the item.
#include <deque>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

class Queue : public ::testing::Test {
protected:
	void push(int v)
	{
		std::lock_guard<std::mutex> lock(mutex);
		items.push_back(v);
	}
	bool empty()
	{
		std::lock_guard<std::mutex> lock(mutex);
		return items.empty();
	}
	int pop()
	{
		std::lock_guard<std::mutex> lock(mutex);
		if (items.empty())
			return -1;
		int v = items.front();
		items.pop_front();
		return v;
	}
	std::mutex mutex;
	std::deque<int> items;
};

TEST_F(Queue, KeepsWhatIsPushed)
{
	std::thread other([this] { push(1); });
	push(2);
	other.join();
	EXPECT_EQ(items.size(), 2u);
}

TEST_F(Queue, IsEmptyAtFirst)
{
	EXPECT_TRUE(empty());
}

TEST_F(Queue, IsSharedByTwo)
{
	push(1);
	auto take = [this] {
		if (!empty())
			ASSERT_EQ(pop(), 1);
	};
	std::thread other(take);
	take();
	other.join();
}
