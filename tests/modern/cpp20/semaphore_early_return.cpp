// An early return forgets to release a semaphore.
// verdict: bug
#include <atomic>
#include <semaphore>
#include <thread>

static std::counting_semaphore<1> slots(1);
static std::atomic<bool> closed = false;

static void use()
{
	slots.acquire();
	if (closed)
		return;
	slots.release();
}

int main()
{
	std::thread a(use), b(use);
	closed = true;
	a.join();
	b.join();
}
