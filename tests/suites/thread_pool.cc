/* thread_pool::ThreadPool, two threads and two tasks.
 * build: g++ -std=c++14 -g -O1 -pthread -o thread_pool thread_pool.cc
 */
#include "two.h"
#include <thread_pool/thread_pool.hpp>

int main()
{
	thread_pool::ThreadPool pool(2);
	auto first = pool.Submit([] { return 1; });
	auto second = pool.Submit([] { return 2; });

	assert(first.get() + second.get() == 3);
}
