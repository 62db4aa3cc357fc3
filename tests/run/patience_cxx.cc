/* Waits whose timeouts are watchdogs. With --patience these timeouts never cause a failure. */
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

static std::mutex m;
static std::timed_mutex timed;
static std::shared_timed_mutex shared;
static std::condition_variable cv;
static int made;

static void expect(bool ok, const char *what)
{
	if (ok)
		return;
	std::fprintf(stderr, "%s timed out\n", what);
	std::abort();
}

int main()
{
	std::thread maker([] {
		expect(timed.try_lock_for(10s), "a lock");
		timed.unlock();
		for (int i = 0; i < 2; i++) {
			std::lock_guard<std::mutex> lock(m);
			made++;
			cv.notify_one();
		}
		expect(shared.try_lock_for(10s), "a write lock");
		shared.unlock();
	});
	expect(timed.try_lock_for(10s), "a lock");
	timed.unlock();
	for (int i = 1; i <= 2; i++) {
		std::unique_lock<std::mutex> lock(m);
		expect(cv.wait_for(lock, 10s, [i] { return made >= i; }), "a condition");
	}
	expect(shared.try_lock_shared_for(10s), "a read lock");
	shared.unlock_shared();
	maker.join();
}
