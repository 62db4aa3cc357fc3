// A value is handed over by atomic wait and notify.
// verdict: complete
#include <atomic>
#include <cassert>
#include <thread>

int main()
{
	std::atomic<int> state = 0;
	int value = 0;
	std::thread t([&] {
		state.wait(0);
		assert(value == 42);
		state = 2;
		state.notify_one();
	});
	value = 42;
	state = 1;
	state.notify_one();
	state.wait(1);
	assert(state == 2);
	t.join();
}
