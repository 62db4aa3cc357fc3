/* BoundedQueue: cancel it while a thread adds to the full queue.
 * build: g++ -std=c++14 -fpermissive -g -O1 -pthread -o zthread_queue zthread_queue.cc -lZThread
 */
#include "two.h"
#include <zthread/BoundedQueue.h>
#include <zthread/FastMutex.h>
#include <zthread/Runnable.h>
#include <zthread/Thread.h>

using namespace ZThread;

static BoundedQueue<int, FastMutex> queue(1);

struct Add : Runnable {
	void run()
	{
		try {
			queue.add(2);
		} catch (Cancellation_Exception &) {
		}
	}
};

int main()
{
	queue.add(1);
	Thread thread(new Add);
	queue.cancel();
	thread.wait();
}
