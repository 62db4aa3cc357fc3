/* Activity, start and stop.
 * build: g++ -std=c++17 -g -O1 -pthread -o poco_activity poco_activity.cc -lPocoFoundation
 */
#include "two.h"
#include <Poco/Activity.h>
using namespace Poco;
struct A {
	Activity<A> a;
	int n;
	A()
	    : a(this, &A::go), n(0)
	{
	}
	void go()
	{
		while (!a.isStopped()) {
			n++;
			break;
		}
	}
};
int main()
{
	A x;
	x.a.start();
	x.a.stop();
	x.a.wait();
}
