// A consumer waits for an item with a condition variable.
// verdict: complete
// unfinished: a woken thread waits in a loop with pauses, of which two turns are tried
#include <absl/synchronization/mutex.h>
#include <cassert>
#include <thread>

int main()
{
	absl::Mutex m;
	absl::CondVar ready;
	int value = 0;
	std::thread producer([&] {
		absl::MutexLock lock(&m);
		value = 5;
		ready.Signal();
	});
	{
		absl::MutexLock lock(&m);
		while (!value)
			ready.Wait(&m);
		assert(value == 5);
	}
	producer.join();
}
