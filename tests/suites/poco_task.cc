/* Task and TaskManager: cancel a task that was just started.
 * build: g++ -std=c++17 -g -O1 -pthread -o poco_task poco_task.cc -lPocoFoundation
 */
#include "two.h"
#include <Poco/Task.h>
#include <Poco/TaskManager.h>
#include <Poco/ThreadPool.h>

struct Waiting : Poco::Task {
	Waiting()
	    : Task("waiting")
	{
	}
	void runTask() override
	{
		while (!isCancelled())
			Poco::Thread::yield();
	}
};

int main()
{
	Poco::ThreadPool threads(1, 1);
	Poco::TaskManager tasks(threads);

	tasks.start(new Waiting);
	tasks.cancelAll();
	tasks.joinAll();
}
