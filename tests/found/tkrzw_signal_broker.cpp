/* SignalBroker of Tkrzw 1.0.25, reduced: a waiter raises the number of waiters, and waits while it is not 0. send()
 * sets it to 0. If another waiter comes before the first one has woken up, the first one finds 1 and waits again.
 * docs/found.md has more.
 * build: g++ -g -O1 -std=c++17 -pthread
 * check: bug kind=deadlock replays=3 : --
 */
#include <condition_variable>
#include <mutex>
#include <thread>

static int waiters;
static std::mutex mutex;
static std::condition_variable signalled;

static void wait()
{
	std::unique_lock<std::mutex> lock(mutex);

	waiters++;
	while (waiters != 0)
		signalled.wait(lock);
}

/* Returns whether a thread waited, and gets the signal. */
static bool send()
{
	{
		std::lock_guard<std::mutex> lock(mutex);

		if (waiters == 0)
			return false;
		waiters = 0;
	}
	signalled.notify_all();
	return true;
}

int main()
{
	std::thread first(wait);

	while (!send())
		std::this_thread::yield();
	std::thread second(wait);
	first.join();
	while (!send())
		std::this_thread::yield();
	second.join();
}
