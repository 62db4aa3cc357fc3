/* The blocking circular buffer of readerwriterqueue, with room for one item.
 * build: g++ -std=c++17 -g -O1 -pthread -o rwring rwring.cc
 */
#include "two.h"
#include <readerwriterqueue/readerwritercircularbuffer.h>
#include <thread>

int main()
{
	moodycamel::BlockingReaderWriterCircularBuffer<int> buffer(1);
	std::thread producer([&] {
		buffer.wait_enqueue(1);
		buffer.wait_enqueue(2);
	});
	int first, second;

	buffer.wait_dequeue(first);
	buffer.wait_dequeue(second);
	assert(first == 1 && second == 2);
	producer.join();
}
