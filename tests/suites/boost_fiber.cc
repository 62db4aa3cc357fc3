/* Buffered_channel between a thread and a fiber of another.
 * build: g++ -std=c++17 -g -O1 -pthread -o boost_fiber boost_fiber.cc -lboost_fiber -lboost_context
 */
#include "two.h"
#include <boost/fiber/all.hpp>
#include <thread>
int main()
{
	boost::fibers::buffered_channel<int> c(2);
	std::thread t([&] { boost::fibers::fiber([&] {c.push(1);c.close(); }).join(); });
	int v = 0, s = 0;
	while (c.pop(v) == boost::fibers::channel_op_status::success)
		s += v;
	t.join();
	assert(s == 1);
}
