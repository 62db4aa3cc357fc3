/* Semaphore of uCommon 7.0.1, reduced: wait() waits once, not in a loop. If a second thread takes the semaphore before
 * the thread that was woken has the mutex again, both have it. docs/found.md has more.
 * build: g++ -g -O1 -std=c++17 -pthread
 * check: bug kind=assert replays=3 says=inside : --
 */
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable released;
static unsigned limit = 1, waits, used;
static std::atomic<int> inside;

static void wait()
{
	std::unique_lock<std::mutex> lock(mutex);

	if (used >= limit) {
		waits++;
		released.wait(lock);
		waits--;
	}
	used++;
}

static void release()
{
	std::lock_guard<std::mutex> lock(mutex);

	used--;
	if (waits)
		released.notify_one();
}

static void work()
{
	for (int i = 0; i < 2; i++) {
		wait();
		assert(++inside == 1);
		--inside;
		release();
	}
}

int main()
{
	std::thread first(work), second(work);

	first.join();
	second.join();
}
