// A condition variable of C++, and a wait for it that ends after some time. The reader looks at `data` only when the wait
// has found the predicate; -DWEAK: also when a relaxed flag says so.
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;
static std::atomic<bool> flag;
static bool ready;
static int data;

static void write()
{
	data = 1;
	flag.store(true, std::memory_order_relaxed);
	std::lock_guard<std::mutex> lock(m);
	ready = true;
	c.notify_one();
}

static void read()
{
	std::unique_lock<std::mutex> lock(m);
	bool found = c.wait_for(lock, std::chrono::milliseconds(1), [] { return ready; });
#ifdef WEAK
	found = found || flag.load(std::memory_order_relaxed);
#endif
	if (found)
		assert(data == 1);
}

int main()
{
	std::thread writer(write), reader(read);
	writer.join();
	reader.join();
}
