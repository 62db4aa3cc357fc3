/* Lockfree::spsc_queue.
 * build: g++ -std=c++17 -g -O1 -pthread -o boost_spsc boost_spsc.cc
 */
#include "two.h"
#include <boost/lockfree/spsc_queue.hpp>
static boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> q;
static void *f(void *)
{
	for (int i = 1; i < 4; i++)
		q.push(i);
	return 0;
}

static void *g(void *)
{
	int x, l = 0;
	for (int i = 0; i < 3; i++)
		if (q.pop(x)) {
			assert(x > l);
			l = x;
		}
	return 0;
}

int main()
{
	pthread_t a, b;
	pthread_create(&a, 0, f, 0);
	pthread_create(&b, 0, g, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
}
