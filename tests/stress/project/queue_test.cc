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

// What else GoogleTest has: a test for each value, for each type, one that is disabled, that skips itself, that expects a death.
class Filled : public Queue, public ::testing::WithParamInterface<int> {
};

TEST_P(Filled, HasThatMany)
{
	std::thread other([this] { push(0); });
	for (int i = 0; i < GetParam(); i++)
		push(i);
	other.join();
	EXPECT_EQ(items.size(), GetParam() + 1u);
}

INSTANTIATE_TEST_SUITE_P(Some, Filled, ::testing::Values(1, 2), [](const auto &info) { return "With" + std::to_string(info.param); });

template <typename T> class Typed : public ::testing::Test {
};
using Types = ::testing::Types<char, std::deque<int>>;
TYPED_TEST_SUITE(Typed, Types);

TYPED_TEST(Typed, IsMadeByAThread)
{
	TypeParam *made = nullptr;
	std::thread other([&made] { made = new TypeParam(); });
	other.join();
	EXPECT_NE(made, nullptr);
	delete made;
}

TEST_F(Queue, DISABLED_IsNotRun)
{
	FAIL();
}

TEST_F(Queue, SkipsItself)
{
	GTEST_SKIP() << "no \"queue\" <here>";
}

TEST_F(Queue, DiesWithMessage)
{
	std::thread other([this] { push(1); });
	other.join();
	EXPECT_DEATH(abort(), "");
}
