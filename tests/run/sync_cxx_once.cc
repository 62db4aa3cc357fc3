// Function-local statics and std::call_once: an initialiser that throws is tried again; latches, semaphores and
// atomic waits, which libstdc++ builds on the futex system call.
#include <atomic>
#include <latch>
#include <mutex>
#include <semaphore>
#include <stdexcept>
#include <thread>

#include "sync_check.h"

static int attempts, built;

struct fragile {
	fragile()
	{
		if (attempts++ == 0)
			throw std::runtime_error("the first one fails");
		built++;
	}
};

static void use_static()
{
	try {
		static fragile f;
	} catch (const std::runtime_error &) {
		static fragile second_try; // another one, so that both paths are taken
	}
}

static int shared_built;
struct plain {
	plain() { std::this_thread::yield(); shared_built++; }
};

static void use_shared()
{
	static plain p;
	EXPECT(shared_built, 1);
}

static std::once_flag flag;
static std::atomic<int> tries, done;

static void once()
{
	try {
		std::call_once(flag, [] {
			if (tries++ == 0)
				throw 1;
			done++;
		});
	} catch (int) {
	}
}

int main()
{
	use_static();
	use_static();
	CHECK(built >= 1 && attempts == built + 1);

	std::thread a(use_shared);
	use_shared();
	a.join();
	EXPECT(shared_built, 1);

	std::thread b(once);
	once();
	b.join();
	once();
	EXPECT(done.load(), 1);
	EXPECT(tries.load(), 2);

	std::latch latch(2);
	std::thread c([&] { latch.count_down(); });
	latch.arrive_and_wait();
	c.join();

	std::counting_semaphore<4> sem(0);
	std::thread d([&] { sem.release(2); });
	sem.acquire();
	sem.acquire();
	CHECK(!sem.try_acquire());
	d.join();

	std::atomic<int> word(0);
	std::thread e([&] { word.store(1); word.notify_one(); });
	word.wait(0);
	EXPECT(word.load(), 1);
	e.join();
	return 0;
}
