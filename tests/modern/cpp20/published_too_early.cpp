// Double-checked initialisation sets the flag before the object is complete.
// verdict: bug
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex m;
static std::atomic<bool> made = false;
static std::atomic<int> value = 0;

static int get()
{
	if (!made) {
		std::lock_guard lock(m);
		if (!made) {
			made = true;
			value = 42;
		}
	}
	return value;
}

int main()
{
	std::thread a([] { assert(get() == 42); }), b([] { assert(get() == 42); });
	a.join();
	b.join();
}
