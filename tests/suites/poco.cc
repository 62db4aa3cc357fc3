/* NotificationQueue, two threads.
 * build: g++ -std=c++17 -g -O1 -pthread -o poco poco.cc -lPocoFoundation
 */
#include "two.h"
#include <Poco/NotificationQueue.h>
#include <Poco/Thread.h>
#include <Poco/ThreadPool.h>
#include <Poco/Runnable.h>
using namespace Poco;
struct W : Runnable {
	NotificationQueue &q;
	W(NotificationQueue &x)
	    : q(x)
	{
	}
	void run()
	{
		q.enqueueNotification(new Notification);
	}
};
int main()
{
	NotificationQueue q;
	W a(q), b(q);
	Thread t, u;
	t.start(a);
	u.start(b);
	t.join();
	u.join();
	assert(q.size() == 2);
	q.clear();
}
