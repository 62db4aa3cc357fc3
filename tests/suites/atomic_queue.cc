/* AtomicQueue2 with room for two items, two producers and two consumers.
 * build: g++ -std=c++17 -g -O1 -pthread -o atomic_queue atomic_queue.cc
 */
#include "two.h"
#include <atomic_queue/atomic_queue.h>

static atomic_queue::AtomicQueue2<int, 2> queue;
static int got[3];

static void *work(void *number)
{
	queue.push((int)(long)number);
	got[(long)number] = queue.pop();
	return NULL;
}

int main()
{
	TWO(work);
	assert(got[1] + got[2] == 3);
}
