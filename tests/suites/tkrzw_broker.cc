/* KeySignalBroker: two threads wait for one key, the second after a signal for the first. An unlimited wait ends after 136 years.
 * build: g++ -std=c++17 -g -O1 -pthread -o tkrzw_broker tkrzw_broker.cc
 */
#include "two.h"
#include <tkrzw_thread_util.h>

using Broker = tkrzw::KeySignalBroker<std::string>;

static void wait(Broker *broker)
{
	Broker::Waiter waiter(broker, "key");
	auto start = std::chrono::steady_clock::now();

	waiter.Wait();
	assert(std::chrono::steady_clock::now() - start < std::chrono::hours(1));
}

int main()
{
	Broker broker;
	std::thread first(wait, &broker);

	while (!broker.Send("key"))
		std::this_thread::yield();
	std::thread second(wait, &broker);
	first.join();
	while (!broker.Send("key"))
		std::this_thread::yield();
	second.join();
}
