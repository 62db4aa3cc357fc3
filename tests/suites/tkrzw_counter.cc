/* WaitCounter: wait for another thread. An unlimited wait ends after 136 years.
 * build: g++ -std=c++17 -g -O1 -pthread -o tkrzw_counter tkrzw_counter.cc
 */
#include "two.h"
#include <tkrzw_thread_util.h>

int main()
{
	tkrzw::WaitCounter counter(1);
	std::thread thread([&] { counter.Done(); });
	auto start = std::chrono::steady_clock::now();

	counter.Wait();
	assert(std::chrono::steady_clock::now() - start < std::chrono::hours(1));
	thread.join();
}
