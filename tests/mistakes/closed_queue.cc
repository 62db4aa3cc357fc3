// main closes the queue when it thinks that all work is done; a worker still pushes.
// kind: after-end
// says: T0 was in Queue::close (closed_queue.cc:
// says: without waiting for T0.1, which was in Queue::push after that
// says: nothing fails
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>

class Queue {
public:
	bool push(int value)
	{
		std::lock_guard<std::mutex> guard(lock_);
		if (closed_)
			return false;
		values_[n_++] = value;
		return true;
	}

	void close()
	{
		std::lock_guard<std::mutex> guard(lock_);
		closed_ = true;
	}

private:
	std::mutex lock_;
	int values_[4] = {};
	int n_ = 0;
	bool closed_ = false;
};

TEST(Queue, TakesAllResults)
{
	Queue queue;
	std::atomic<int> ready{0};
	std::thread worker([&] {
		ready = 1;
		EXPECT_TRUE(queue.push(1));
	});

	while (!ready.load())
		std::this_thread::yield();
	queue.close();
	worker.join();
}
