// A detached thread uses a local variable of a function that may have returned.
// verdict: bug
#include <atomic>
#include <semaphore>
#include <thread>

static std::binary_semaphore finished(0);

__attribute__((noinline)) static void begin()
{
	std::atomic<int> local = 1;
	std::thread([&] {
		local++;
		finished.release();
	}).detach();
}

int main()
{
	begin();
	finished.acquire();
}
