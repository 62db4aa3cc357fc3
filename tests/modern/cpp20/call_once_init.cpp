// An object is made once; the first attempt throws.
// verdict: complete
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

int main()
{
	std::once_flag once;
	std::atomic<int> attempts = 0;
	int made = 0;
	auto use = [&] {
		for (;;) {
			try {
				std::call_once(once, [&] {
					if (attempts++ == 0)
						throw 1;
					made++;
				});
				break;
			} catch (int) {
			}
		}
		assert(made == 1);
	};
	std::thread a(use), b(use);
	a.join();
	b.join();
	assert(attempts == 2);
}
