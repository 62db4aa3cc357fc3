// Two readers look at a pair that a writer changes.
// verdict: complete
// unfinished: readers are explored as code
#include <absl/synchronization/mutex.h>
#include <cassert>
#include <thread>

int main()
{
	absl::Mutex m;
	int width = 1, height = 1;
	auto look = [&] {
		absl::ReaderMutexLock lock(&m);
		assert(width == height);
	};
	std::thread first(look), second(look);
	{
		absl::WriterMutexLock lock(&m);
		width = height = 2;
	}
	first.join();
	second.join();
}
