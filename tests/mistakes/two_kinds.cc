// Producers and consumers wait on one condition variable. The signal of the producer wakes the other producer.
// kind: wrong-waiter
// says: which waited again (two_kinds.cc:
// says: was waiting as well (two_kinds.cc:
// says: nothing fails
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>

class Slot {
public:
	void put(int value)
	{
		std::unique_lock<std::mutex> guard(lock_);
		while (full_)
			changed_.wait(guard);
		value_ = value;
		full_ = true;
		changed_.notify_one();
	}

	int get()
	{
		std::unique_lock<std::mutex> guard(lock_);
		while (!full_)
			changed_.wait(guard);
		full_ = false;
		changed_.notify_one();
		return value_;
	}

private:
	std::mutex lock_;
	std::condition_variable changed_;
	int value_ = 0;
	bool full_ = false;
};

TEST(Slot, TwoOfEach)
{
	Slot slot;
	int sum = 0;
	std::thread put1([&] { slot.put(1); }), put2([&] { slot.put(2); });
	std::thread get1([&] { slot.get(); });

	sum += slot.get();
	put1.join();
	put2.join();
	get1.join();
	EXPECT_GT(sum, 0);
}
