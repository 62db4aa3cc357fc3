/* Io_context run by two threads.
 * build: g++ -std=c++17 -g -O1 -pthread -o boost_asio boost_asio.cc
 */
#include "two.h"
#include <boost/asio.hpp>
#include <thread>
#include <atomic>
int main()
{
	boost::asio::io_context c(2);
	std::atomic<int> n{0};
	for (int i = 0; i < 2; i++)
		boost::asio::post(c, [&] { n++; });
	std::thread a([&] { c.run(); }), b([&] { c.run(); });
	a.join();
	b.join();
	assert(n == 2);
}
