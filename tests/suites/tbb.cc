/* Concurrent_vector::push_back by two threads.
 * build: g++ -std=c++17 -g -O1 -pthread -o tbb tbb.cc -ltbb
 */
#include "two.h"
#include <oneapi/tbb/concurrent_vector.h>
static oneapi::tbb::concurrent_vector<int> v;
static void *f(void *a)
{
	v.push_back((long)a);
	return 0;
}

int main()
{
	TWO(f);
	assert(v.size() == 2);
}
