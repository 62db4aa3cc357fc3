/* A thread waits for a flag with wait_for(5ms) in a loop. Each number of timeouts is another trace, without end. The search lets two waits in a row time out
 * and says so (docs/rounds.md). With an argument there is a bug that needs two timeouts.
 * check: bounded traces=8 says=waiting_loops_tried_up_to_2_rounds : --jobs 1 --strategy optimal --
 * check: bounded traces=8 : --jobs 1 --strategy optimal --shuffle 5 --
 * check: bounded says=waiting_loops_tried_up_to_2_rounds : --
 * check: bug kind=assert : --jobs 1 --strategy optimal -- 2
 * check: bug kind=assert : -- 2
 */
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable changed;
static bool ready;

int main(int argc, char **argv)
{
	int most = argc > 1 ? atoi(argv[1]) : 0;
	std::thread waiter([most] {
		std::unique_lock lock(m);
		for (int n = 1; !ready; n++)
			if (changed.wait_for(lock, std::chrono::milliseconds(5)) == std::cv_status::timeout)
				assert(n != most);
	});
	std::thread setter([] {
		{
			std::lock_guard lock(m);
			ready = true;
		}
		changed.notify_one();
	});
	waiter.join();
	setter.join();
}
