/* Lockfree::queue, two pushes.
 * build: g++ -std=c++17 -g -O1 -pthread -o boost_lockfree boost_lockfree.cc
 */
#include "two.h"
#include <boost/lockfree/queue.hpp>
static boost::lockfree::queue<int> q(4);
static void *f(void *a)
{
	bool ok = q.push((long)a);
	assert(ok);
	return 0;
}

int main()
{
	TWO(f);
	int x, n = 0;
	while (q.pop(x))
		n += x;
	assert(n == 3);
}
