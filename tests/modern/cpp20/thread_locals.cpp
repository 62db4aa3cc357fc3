// Counters of each thread, added to a common one by a destructor at the thread's end.
// verdict: complete
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex m;
static int total;

struct counter {
	int n = 0;
	~counter()
	{
		std::lock_guard lock(m);
		total += n;
	}
};

static thread_local counter mine;

int main()
{
	auto work = [](int n) { mine.n += n; };
	std::thread a(work, 1), b(work, 2);
	a.join();
	b.join();
	assert(total == 3);
}
