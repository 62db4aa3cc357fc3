// A list of free slots by index. The index of the first slot is the same again, and the slot behind it is not.
// kind: aba
// says: since first_free was 0 again
// says: but behind[0], which T0.1 had read
#define CATCH_CONFIG_FAST_COMPILE
#include <catch2/catch.hpp>

#include <atomic>
#include <thread>

static std::atomic<int> first_free{0};
static std::atomic<int> behind[4] = {1, 2, 3, -1};

static int reserve()
{
	int slot = first_free.load();

	while (slot >= 0) {
		int next = behind[slot].load();
		if (first_free.compare_exchange_strong(slot, next))
			break;
	}
	return slot;
}

static void release(int slot)
{
	int old = first_free.load();

	do
		behind[slot].store(old);
	while (!first_free.compare_exchange_strong(old, slot));
}

TEST_CASE("a slot has one owner")
{
	int kept = -1, given = -1;
	std::thread a([&] { reserve(); });
	std::thread b([&] {
		int slot = reserve();
		kept = reserve();
		release(slot);
	});

	a.join();
	b.join();
	given = reserve();
	REQUIRE(given != kept);
}
