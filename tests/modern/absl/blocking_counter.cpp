// The main thread waits until two workers have signed off.
// verdict: complete
// unfinished: a woken thread waits in a loop with pauses, of which two turns are tried
#include <absl/synchronization/blocking_counter.h>
#include <cassert>
#include <thread>

int main()
{
	int parts[2] = {};
	absl::BlockingCounter busy(2);
	auto work = [&](int i) {
		parts[i] = i + 1;
		busy.DecrementCount();
	};
	std::thread first(work, 0), second(work, 1);
	busy.Wait();
	assert(parts[0] + parts[1] == 3);
	first.join();
	second.join();
}
