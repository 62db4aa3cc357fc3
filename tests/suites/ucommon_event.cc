/* TimedEvent: one signal and two waits, the second with a time limit.
 * build: g++ -std=c++17 -g -O1 -pthread -o ucommon_event ucommon_event.cc -lucommon
 */
#include "two.h"
#include <thread>
#include <ucommon/ucommon.h>

int main()
{
	ucommon::TimedEvent event;
	std::thread other([&] { event.signal(); });

	event.wait();
	if (event.wait(100))
		abort();
	other.join();
}
