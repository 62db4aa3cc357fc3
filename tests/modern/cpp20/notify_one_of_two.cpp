// A gate that two threads wait at is opened with notify_one: if both sleep, one sleeps for ever.
// verdict: bug
#include <atomic>
#include <cassert>
#include <thread>

class gate {
	std::atomic<int> is_open = 0;

public:
	void pass() { is_open.wait(0); }

	void open()
	{
		is_open = 1;
		is_open.notify_one();
	}
};

int main()
{
	gate g;
	std::atomic<int> passed = 0;
	auto visitor = [&] {
		g.pass();
		passed++;
	};
	std::thread a(visitor), b(visitor);
	g.open();
	a.join();
	b.join();
	assert(passed == 2);
}
