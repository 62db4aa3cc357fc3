/* Task of POCO 1.11.0, reduced: run() sets the state without looking at it. If cancel() came before, the task never
 * finds that it has been cancelled. docs/found.md has more.
 * build: g++ -g -O1 -std=c++17 -pthread
 * check: bug kind=livelock replays=3 says=until_state_changes : --
 */
#include <atomic>
#include <thread>

enum { STARTING, RUNNING, CANCELLING };

static std::atomic<int> state{STARTING};

static void run()
{
	state = RUNNING;
	while (state != CANCELLING)
		std::this_thread::yield();
}

int main()
{
	std::thread thread(run);

	state = CANCELLING;
	thread.join();
}
