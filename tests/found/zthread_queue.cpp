/* BoundedQueue of ZThread 2.3.2, reduced: cancel() notifies the threads that wait for an item, and not those that wait
 * for room, although both look at `canceled`. docs/found.md has more.
 * build: g++ -g -O1 -std=c++17 -pthread
 * check: bug kind=deadlock replays=3 says=waits_on_not.full : --
 */
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable not_full, not_empty;
static int items = 1;
static bool canceled;

static void add()
{
	std::unique_lock<std::mutex> lock(mutex);

	while (items == 1 && !canceled)
		not_full.wait(lock);
	if (canceled)
		return;
	items++;
	not_empty.notify_one();
}

static void cancel()
{
	std::lock_guard<std::mutex> lock(mutex);

	canceled = true;
	not_empty.notify_all();
}

int main()
{
	std::thread thread(add);

	cancel();
	thread.join();
}
