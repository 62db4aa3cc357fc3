/* Destructors of static objects run in the reverse order of their construction, which two threads decide. simul once found one trace.
 * check: bug kind=assert replays=3 :
 */
#include <cassert>
#include <thread>

static int destroyed;

struct first {
	~first() { destroyed = 1; }
};

struct second {
	~second() { assert(destroyed == 0); }
};

int main()
{
	std::thread a([] { static first object; });
	std::thread b([] { static second object; });
	a.join();
	b.join();
}
