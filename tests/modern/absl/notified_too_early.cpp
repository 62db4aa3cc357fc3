// The worker notifies before it writes the result.
// verdict: bug
#include <absl/synchronization/notification.h>
#include <cassert>
#include <thread>

int main()
{
	absl::Notification done;
	int result = 0;
	std::thread worker([&] {
		done.Notify();
		result = 42;
	});
	done.WaitForNotification();
	assert(result == 42);
	worker.join();
}
