/* Semaphore with room for one thread. ucommon.h defines NDEBUG, so that assert() does nothing.
 * build: g++ -std=c++17 -g -O1 -pthread -o ucommon_semaphore ucommon_semaphore.cc -lucommon
 */
#include "two.h"
#include <atomic>
#include <ucommon/ucommon.h>

static ucommon::Semaphore semaphore(1);
static std::atomic<int> inside;

static void *work(void *unused)
{
	for (int i = 0; i < 2; i++) {
		semaphore.wait();
		if (++inside != 1)
			abort();
		--inside;
		semaphore.release();
	}
	return unused;
}

int main()
{
	TWO(work);
}
