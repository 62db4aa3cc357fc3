/* TaskQueue of Tkrzw 1.0.25, reduced: Stop() clears `running` and notifies without the mutex. A worker that has just
 * read `running` begins to wait after that, and Stop() waits for it for ever. docs/found.md has more.
 * build: g++ -g -O1 -std=c++17 -pthread
 * check: bug kind=deadlock replays=3 says=Likely_a_lost_wake-up : --
 */
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::atomic<bool> running{true};
static std::mutex mutex;
static std::condition_variable changed;

static void worker()
{
	while (running) {
		std::unique_lock<std::mutex> lock(mutex);

		changed.wait(lock, [] { return !running; });
	}
}

int main()
{
	std::thread thread(worker);

	running = false;
	changed.notify_all();
	thread.join();
}
