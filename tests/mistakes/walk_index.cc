// A thread looks at jobs by index, with the lock for each look; another thread removes one, so that the others move up and one is left out.
// kind: unlocked-loop
// says: T0 acquired jobs.lock_ in each round
// says: had it in Jobs::remove (walk_index.cc:
// says: nothing fails
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <thread>

class Jobs {
public:
	void remove(int at)
	{
		std::lock_guard<std::mutex> guard(lock_);
		for (int i = at; i + 1 < count_; i++)
			jobs_[i] = jobs_[i + 1];
		count_--;
	}

	bool has(int job)
	{
		for (int i = 0;; i++) {
			std::lock_guard<std::mutex> guard(lock_);
			if (i >= count_)
				return false;
			if (jobs_[i] == job)
				return true;
		}
	}

private:
	std::mutex lock_;
	int jobs_[4] = {7, 8, 9, 10};
	int count_ = 4;
};

TEST(Jobs, HasWhatWasNotRemoved)
{
	Jobs jobs;
	std::thread remover([&] { jobs.remove(1); });
	bool found = jobs.has(9);

	remover.join();
	EXPECT_TRUE(found);
}
