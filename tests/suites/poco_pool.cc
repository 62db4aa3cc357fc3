/* ThreadPool and Event.
 * build: g++ -std=c++17 -g -O1 -pthread -o poco_pool poco_pool.cc -lPocoFoundation
 */
#include "two.h"
#include <Poco/ThreadPool.h>
#include <Poco/Runnable.h>
#include <Poco/Event.h>
using namespace Poco;
struct W : Runnable {
	Event e;
	void run()
	{
		e.set();
	}
};
int main()
{
	ThreadPool p(1, 2);
	W a;
	p.start(a);
	a.e.wait();
	p.joinAll();
}
