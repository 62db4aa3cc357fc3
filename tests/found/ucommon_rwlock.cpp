/* RWLock of uCommon 7.0.1, reduced: a reader waits while a writer waits. When the last reader releases the lock, it
 * signals the writer. If the writer has just timed out, it gives up without waking the reader, which waits for ever
 * at a lock that is free. docs/found.md has more.
 * build: g++ -g -O1 -std=c++17 -pthread
 * check: bug kind=deadlock replays=3 says=waits_on_may.read : --
 */
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable may_write, may_read;
static int readers, writers, pending, waiting;

/* Returns whether the caller has the lock for itself, after 10 ms at most. */
static bool modify()
{
	auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(10);
	std::unique_lock<std::mutex> lock(mutex);

	while (writers || readers) {
		pending++;
		std::cv_status status = may_write.wait_until(lock, end);
		pending--;
		if (status == std::cv_status::timeout)
			return false;
	}
	writers++;
	return true;
}

static void access()
{
	std::unique_lock<std::mutex> lock(mutex);

	while (writers || pending) {
		waiting++;
		may_read.wait(lock);
		waiting--;
	}
	readers++;
}

static void release()
{
	std::lock_guard<std::mutex> lock(mutex);

	if (writers)
		writers--;
	else
		readers--;
	if (pending && !readers)
		may_write.notify_one();
	else if (waiting && !pending)
		may_read.notify_all();
}

static void write()
{
	if (modify())
		release();
}

static void read()
{
	access();
	release();
}

int main()
{
	access();
	std::thread writer(write), reader(read);
	release();
	writer.join();
	reader.join();
}
