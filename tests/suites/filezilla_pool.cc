/* fz::thread_pool: two tasks.
 * build: g++ -std=c++17 -g -O1 -pthread -o filezilla_pool filezilla_pool.cc -lfilezilla
 */
#include "two.h"
#include <atomic>
#include <libfilezilla/thread_pool.hpp>

int main()
{
	fz::thread_pool pool;
	std::atomic<int> done{0};
	auto first = pool.spawn([&] { done++; });
	auto second = pool.spawn([&] { done++; });

	first.join();
	second.join();
	assert(done == 2);
}
