// Two threads add to a counter under absl::Mutex.
// verdict: complete
#include <absl/synchronization/mutex.h>
#include <cassert>
#include <thread>

class counter {
	absl::Mutex m;
	int n = 0;

public:
	void add()
	{
		absl::MutexLock lock(&m);
		n++;
	}
	int get()
	{
		absl::MutexLock lock(&m);
		return n;
	}
};

int main()
{
	counter c;
	auto twice = [&] {
		c.add();
		c.add();
	};
	std::thread other(twice);
	twice();
	other.join();
	assert(c.get() == 4);
}
