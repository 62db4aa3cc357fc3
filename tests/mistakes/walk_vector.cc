// A sum over a vector to which another thread appends.
// kind: container
// says: T0.1's push_back (walk_vector.cc:
// says: freed memory of the std::vector that T0 was using
// says: nothing fails
#include <gtest/gtest.h>

#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

class Samples {
public:
	void add(int sample)
	{
		std::lock_guard<std::mutex> guard(lock_);
		samples_.push_back(sample);
	}

	int sum() const
	{
		int sum = 0;

		for (int sample : samples_)
			sum += sample;
		return sum;
	}

private:
	std::mutex lock_;
	std::vector<int> samples_{1, 2, 3, 4};
};

TEST(Samples, SumWhileAdding)
{
	Samples samples;
	std::thread adder([&] { samples.add(5); });
	int sum = samples.sum();

	adder.join();
	EXPECT_TRUE(sum == 10 || sum == 15);
}
