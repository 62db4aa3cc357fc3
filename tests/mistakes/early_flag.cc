// The flag says that the letter is there, but is stored first.
// kind: published-early
// says: T0.1 stored box.full
// says: (early_flag.cc:19, step 5) before it wrote box.letter (early_flag.cc:
// says: which was not written yet.
// says: nothing fails
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

struct Mailbox {
	int letter = 0;
	std::atomic<bool> full{false};
	std::atomic<int> read{0};

	void send(int what)
	{
		full.store(true);
		letter = what;
	}
};

TEST(Mailbox, DeliversTheLetter)
{
	Mailbox box;
	std::thread sender([&] { box.send(42); });

	while (!box.full.load())
		std::this_thread::yield();
	int got = box.letter;
	box.read = 1;
	sender.join();
	EXPECT_EQ(got, 42);
}
