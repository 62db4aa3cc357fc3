// A detached thread uses a local variable of a function that may have returned.
// verdict: bug
// missed: main has called another function before the thread uses the variable, so the stack there is in use again
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
