/* boost::sync_timed_queue: one thread waits without a limit, one for 10 ms; an item is due after a second.
 * build: g++ -std=c++17 -g -O1 -pthread -o boost_timed boost_timed.cc -lboost_thread -lboost_chrono
 */
#include "two.h"
#define BOOST_THREAD_VERSION 4
#include <boost/thread/concurrent_queues/sync_timed_queue.hpp>
#include <thread>

static boost::sync_timed_queue<int> queue;

int main()
{
	std::thread brief([] {
		int item;
		queue.pull_for(boost::chrono::milliseconds(10), item);
	});
	std::thread patient([] { queue.pull(); });

	queue.push(1, boost::chrono::seconds(1));
	brief.join();
	patient.join();
}
