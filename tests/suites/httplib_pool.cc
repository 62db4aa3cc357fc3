/* httplib::ThreadPool, two threads and two jobs.
 * build: g++ -std=c++17 -g -O1 -pthread -o httplib_pool httplib_pool.cc
 */
#include "two.h"
#include <httplib.h>

int main()
{
	httplib::ThreadPool pool(2);
	std::atomic<int> done{0};

	pool.enqueue([&] { done++; });
	pool.enqueue([&] { done++; });
	pool.shutdown();
	assert(done == 2);
}
