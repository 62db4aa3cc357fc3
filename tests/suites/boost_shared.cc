/* Weak_ptr::lock against the last reset.
 * build: g++ -std=c++17 -g -O1 -pthread -o boost_shared boost_shared.cc
 */
#include "two.h"
#include <boost/smart_ptr/shared_ptr.hpp>
#include <boost/smart_ptr/weak_ptr.hpp>
#include <boost/smart_ptr/make_shared.hpp>
static boost::weak_ptr<int> w;
static void *f(void *)
{
	if (auto p = w.lock())
		assert(*p == 7);
	return 0;
}

int main()
{
	auto p = boost::make_shared<int>(7);
	w = p;
	pthread_t x;
	pthread_create(&x, 0, f, 0);
	p.reset();
	pthread_join(x, 0);
}
