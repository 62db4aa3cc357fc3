/* TimedEvent of uCommon 7.0.1, reduced: wait() clears the signal if it comes before the wait, and leaves it set if it
 * comes during the wait. Then the next wait ends at once. docs/found.md has more.
 * build: g++ -g -O1 -std=c++17 -pthread
 * check: bug kind=assert replays=3 says=!signalled : --
 */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool signalled;

static void signal()
{
	std::lock_guard<std::mutex> lock(mutex);

	signalled = true;
	changed.notify_one();
}

static void wait()
{
	std::unique_lock<std::mutex> lock(mutex);

	if (signalled)
		signalled = false;
	else
		changed.wait(lock);
}

int main()
{
	std::thread other(signal);

	wait();
	assert(!signalled);
	other.join();
}
