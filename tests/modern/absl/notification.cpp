// The main thread waits for a notification before it reads the result.
// verdict: complete
#include <absl/synchronization/notification.h>
#include <cassert>
#include <thread>

int main()
{
	absl::Notification done;
	int result = 0;
	std::thread worker([&] {
		result = 42;
		done.Notify();
	});
	done.WaitForNotification();
	assert(result == 42);
	worker.join();
}
