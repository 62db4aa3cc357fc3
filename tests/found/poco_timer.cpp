/* Timer of POCO 1.11.0, reduced: stop() sets the interval to 0 and waits until the thread has found that. If the
 * callback, which runs at this moment, calls restart(100), the interval is no longer 0. The wait between two
 * calls has no limit of time here. docs/found.md has more.
 * build: g++ -g -O1 -std=c++17 -pthread
 * check: bug kind=deadlock replays=3 : --
 */
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static int interval = 50;
static bool wake_up, done;

static void restart(int milliseconds)
{
	std::lock_guard<std::mutex> lock(mutex);

	interval = milliseconds;
	wake_up = true;
	changed.notify_all();
}

static void stop()
{
	std::unique_lock<std::mutex> lock(mutex);

	interval = 0;
	wake_up = true;
	changed.notify_all();
	changed.wait(lock, [] { return done; });
}

static void callback()
{
	restart(100);
}

static void run()
{
	callback();
	std::unique_lock<std::mutex> lock(mutex);
	while (interval > 0) {
		changed.wait(lock, [] { return wake_up; });
		wake_up = false;
	}
	done = true;
	changed.notify_all();
}

int main()
{
	std::thread thread(run);

	stop();
	thread.join();
}
