/* cuckoohash_map, two threads insert while the table grows.
 * build: g++ -std=c++17 -g -O1 -pthread -o cuckoo cuckoo.cc
 */
#include "two.h"
#include <libcuckoo/cuckoohash_map.hh>

static libcuckoo::cuckoohash_map<int, int> map(1);

static void *work(void *number)
{
	for (int i = 0; i < 3; i++)
		map.insert((int)(long)number * 10 + i, 1);
	return NULL;
}

int main()
{
	map.max_num_worker_threads(0);
	TWO(work);
	assert(map.size() == 6);
}
