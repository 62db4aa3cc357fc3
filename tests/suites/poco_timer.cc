/* Timer: stop it while its callback changes the interval. With --time-model discrete, a call after stop() has begun to
 * wait is at most the third one.
 * build: g++ -std=c++17 -g -O1 -pthread -o poco_timer poco_timer.cc -lPocoFoundation
 */
#include "two.h"
#include <Poco/ThreadPool.h>
#include <Poco/Timer.h>
#include <atomic>

static std::atomic<bool> stopping;
static int calls_after;

struct Callback {
	void call(Poco::Timer &timer)
	{
		if (stopping)
			assert(++calls_after < 3);
		timer.restart(100);
	}
} callback;

int main()
{
	Poco::ThreadPool threads(1, 1);
	Poco::Timer timer(0, 50);

	timer.start(Poco::TimerCallback<Callback>(callback, &Callback::call), threads);
	stopping = true;
	timer.stop();
}
