/* Moodycamel's queue, two threads.
 * build: g++ -std=c++17 -g -O1 -pthread -o moody moody.cc
 */
#include "two.h"
#include <concurrentqueue/concurrentqueue.h>
static moodycamel::ConcurrentQueue<int> q(4);
static void *f(void *a)
{
	bool ok = q.enqueue((long)a);
	assert(ok);
	int x;
	q.try_dequeue(x);
	return 0;
}

int main()
{
	TWO(f);
}
