/* A queue of readerwriterqueue that grows while another thread asks for its size, which is allowed. Under --model rc11.
 * build: g++ -std=c++17 -fsanitize=thread -Wno-tsan -g -O1 -pthread -o rwsize rwsize.cc
 */
#include "two.h"
#include <readerwriterqueue/readerwriterqueue.h>
#include <thread>

int main()
{
	moodycamel::ReaderWriterQueue<int, 16> queue(1);
	std::thread producer([&] {
		for (int i = 0; i < 17; i++)
			queue.enqueue(i);
	});
	std::thread watcher([&] { assert(queue.size_approx() <= 17); });

	producer.join();
	watcher.join();
}
