/* TaskQueue: start one worker and stop it.
 * build: g++ -std=c++17 -g -O1 -pthread -o tkrzw_task_queue tkrzw_task_queue.cc -ltkrzw
 */
#include "two.h"
#include <tkrzw_thread_util.h>

int main()
{
	tkrzw::TaskQueue queue;

	queue.Start(1);
	queue.Stop(0);
}
