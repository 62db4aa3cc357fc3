// The main thread waits for a notification before it reads the result.
// verdict: complete
// unfinished: a woken thread waits in a loop with pauses, of which two turns are tried
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
