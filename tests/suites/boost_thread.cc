/* Shared_mutex, future, three threads.
 * build: g++ -std=c++17 -g -O1 -pthread -o boost_thread boost_thread.cc -lboost_thread -lboost_chrono -lboost_system
 */
#define BOOST_THREAD_VERSION 4
#include "two.h"
#include <boost/thread.hpp>
#include <boost/thread/future.hpp>
int main()
{
	boost::shared_mutex m;
	int n = 0;
	boost::thread w([&] {boost::unique_lock<boost::shared_mutex> l(m);n=1; });
	boost::thread r([&] {boost::shared_lock<boost::shared_mutex> l(m);assert(n<2); });
	w.join();
	r.join();
	boost::promise<int> p;
	auto f = p.get_future();
	boost::thread s([&] { p.set_value(4); });
	assert(f.get() == 4);
	s.join();
}
