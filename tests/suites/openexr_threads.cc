/* A task, while another thread lowers the number of threads.
 * build: g++ -std=c++17 -g -O1 -pthread -o openexr_threads openexr_threads.cc $(pkg-config --cflags --libs OpenEXR)
 */
#include "two.h"
#include <IlmThreadPool.h>
#include <thread>

using namespace IlmThread;

struct Nothing : Task {
	using Task::Task;
	void execute() override {}
};

int main()
{
	ThreadPool pool(2);
	std::thread other([&] { pool.setNumThreads(1); });

	{
		TaskGroup group;
		pool.addTask(new Nothing(&group));
	}
	other.join();
}
