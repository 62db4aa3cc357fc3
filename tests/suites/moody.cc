/* Moodycamel's queue, two threads.
 * build: g++ -std=c++17 -g -O1 -pthread -o moody moody.cc
 */
#include "two.h"
#include <concurrentqueue/concurrentqueue.h>
static moodycamel::ConcurrentQueue<int> q(4);
static int got[2];
static void *f(void *a)
{
	bool ok = q.enqueue((long)a);
	assert(ok);
	q.try_dequeue(got[(long)a - 1]);
	return 0;
}

int main()
{
	TWO(f);
	int x, sum = got[0] + got[1];
	while (q.try_dequeue(x))
		sum += x;
	assert(sum == 3);
}
