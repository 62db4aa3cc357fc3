/* A blocking queue of readerwriterqueue, one producer and one consumer.
 * build: g++ -std=c++17 -g -O1 -pthread -o rwqueue rwqueue.cc
 */
#include "two.h"
#include <readerwriterqueue/readerwriterqueue.h>
#include <thread>

int main()
{
	moodycamel::BlockingReaderWriterQueue<int> queue(1);
	std::thread producer([&] {
		queue.enqueue(1);
		queue.enqueue(2);
	});
	int first, second;

	queue.wait_dequeue(first);
	queue.wait_dequeue(second);
	assert(first == 1 && second == 2);
	producer.join();
}
