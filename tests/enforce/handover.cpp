/*
 * C++20: std::atomic::wait and notify are futex calls. The value is stored after the notification, and the thread that was notified may read it too
 * early.
 */
#include <atomic>
#include <cassert>
#include <thread>
#include <cstdlib>
#include <unistd.h>
static std::atomic<int> turn{0};
static std::atomic<int> value{0};
static void window(int times) { const char *us = getenv("WINDOW"); if (us) usleep((useconds_t)(atoi(us) * times)); }
int main()
{
	std::thread a([] {
		turn.store(1);
		turn.notify_one();
		window(2);
		value.store(1);
	});
	std::thread b([] {
		turn.wait(0);
		window(1);
		assert(value.load() == 1);
	});
	a.join();
	b.join();
}
