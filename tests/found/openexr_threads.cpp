/* ThreadPool::setNumThreads of OpenEXR 3.1.5, reduced: it ends the threads, clears the list of tasks and starts new
 * threads. A task that another thread added after the old threads had ended is dropped, and its waiter waits for ever.
 * docs/found.md has more.
 * build: g++ -g -O1 -std=c++17 -pthread
 * check: bug kind=deadlock replays=3 says=for_finished : --
 */
#include <mutex>
#include <semaphore.h>
#include <thread>

static sem_t ready, finished;
static std::mutex mutex;
static int tasks;
static bool stopping;

static void work()
{
	for (;;) {
		sem_wait(&ready);
		std::lock_guard<std::mutex> lock(mutex);
		if (tasks > 0) {
			tasks--;
			sem_post(&finished);
		} else if (stopping) {
			return;
		}
	}
}

/* Ends the old thread, and starts a new one. */
static void renew(std::thread &thread)
{
	{
		std::lock_guard<std::mutex> lock(mutex);
		stopping = true;
	}
	sem_post(&ready);
	thread.join();
	{
		std::lock_guard<std::mutex> lock(mutex);
		tasks = 0;
		stopping = false;
	}
	thread = std::thread(work);
}

static void add_task()
{
	{
		std::lock_guard<std::mutex> lock(mutex);
		tasks++;
	}
	sem_post(&ready);
}

int main()
{
	sem_init(&ready, 0, 0);
	sem_init(&finished, 0, 0);
	std::thread thread(work);
	std::thread other([&] { renew(thread); });

	add_task();
	sem_wait(&finished);
	other.join();
	thread.detach();
}
