/* RWLock, two readers and a writer that waits at most 10 ms.
 * build: g++ -std=c++17 -g -O1 -pthread -o ucommon_rwlock ucommon_rwlock.cc -lucommon
 */
#include "two.h"
#include <thread>
#include <ucommon/ucommon.h>

static ucommon::RWLock lock;

int main()
{
	lock.access();
	std::thread writer([] {
		if (lock.modify(10))
			lock.release();
	});
	std::thread reader([] {
		lock.access();
		lock.release();
	});
	lock.release();
	writer.join();
	reader.join();
}
