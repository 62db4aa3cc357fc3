/* Barrier and latch.
 * build: g++ -std=c++17 -g -O1 -pthread -o boost_barrier boost_barrier.cc -lboost_thread -lboost_chrono -lboost_system
 */
#include "two.h"
#include <boost/thread.hpp>
#include <boost/thread/barrier.hpp>
#include <boost/thread/latch.hpp>
static boost::barrier b(2);
static boost::latch l(2);
static void *f(void *)
{
	b.wait();
	l.count_down();
	return 0;
}

int main()
{
	pthread_t x, y;
	pthread_create(&x, 0, f, 0);
	pthread_create(&y, 0, f, 0);
	l.wait();
	pthread_join(x, 0);
	pthread_join(y, 0);
}
