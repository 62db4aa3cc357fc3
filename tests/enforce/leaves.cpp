/* Threads that end by pthread_exit and by an exception that is caught, and a first thread that ends before another one. */
#include <atomic>
#include <cstdlib>
#include <pthread.h>
#include <stdexcept>
#include <thread>
static std::atomic<int> count;
struct guard {
	~guard() { count++; }
};
static void *leave(void *)
{
	guard g;

	count++;
	pthread_exit(nullptr);
}
int main()
{
	pthread_t t;

	pthread_create(&t, nullptr, leave, nullptr);
	std::thread thrower([] {
		try {
			guard g;
			throw std::runtime_error("on purpose");
		} catch (const std::exception &) {
			count++;
		}
	});
	thrower.join();
	pthread_join(t, nullptr);
	if (count != 4)
		abort();
	pthread_create(&t, nullptr, leave, nullptr);
	pthread_detach(t);
	pthread_exit(nullptr);
}
