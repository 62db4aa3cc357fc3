/* std::lock holds one mutex, tries the other, and gives the first one back if that fails. Two threads can see each other's tries for ever. The search
 * tries two turns and says so (docs/rounds.md).
 * check: bounded says=waiting_loops_tried_up_to_2_rounds : --
 * check: bounded says=waiting_loops_tried_up_to_2_rounds : --jobs 1 --strategy optimal --
 */
#include <mutex>
#include <thread>

static std::mutex a, b;

int main()
{
	std::thread x([] { std::scoped_lock both(a, b); }), y([] { std::scoped_lock both(b, a); });
	x.join();
	y.join();
}
