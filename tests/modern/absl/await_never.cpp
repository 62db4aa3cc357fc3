// The producer changes the value without the lock, so Await does not look again: the consumer may wait for ever.
// verdict: bug
#include <absl/synchronization/mutex.h>
#include <atomic>
#include <thread>

int main()
{
	absl::Mutex m;
	std::atomic<int> value = 0;
	std::thread producer([&] { value = 5; });
	{
		absl::MutexLock lock(&m);
		m.Await(absl::Condition(+[](std::atomic<int> *v) { return *v != 0; }, &value));
	}
	producer.join();
}
