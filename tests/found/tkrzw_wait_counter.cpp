/* WaitCounter of Tkrzw 1.0.25, reduced: Done() lowers the count and notifies without the mutex. A thread in Wait()
 * that has just read the count begins to wait after that. docs/found.md has more.
 * build: g++ -g -O1 -std=c++17 -pthread
 * check: bug kind=deadlock replays=3 says=Likely_a_lost_wake-up : --
 */
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::atomic<int> count{1};
static std::mutex mutex;
static std::condition_variable changed;

static void done()
{
	if (count.fetch_sub(1) <= 1)
		changed.notify_all();
}

int main()
{
	std::thread thread(done);

	{
		std::unique_lock<std::mutex> lock(mutex);

		while (count > 0)
			changed.wait(lock);
	}
	thread.join();
}
