// A thread locks for reading twice; a writer that waits in between holds the second one up for ever.
// verdict: bug
#include <absl/synchronization/mutex.h>
#include <thread>

int main()
{
	absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
	absl::Mutex m;
	std::thread writer([&] { absl::MutexLock lock(&m); });
	{
		absl::ReaderMutexLock outer(&m);
		absl::ReaderMutexLock inner(&m);
	}
	writer.join();
}
