/* absl::Mutex for programs in C (tests/locks/own_lock.h), whose lock is one word that is 0 at first. */
#include <absl/synchronization/mutex.h>

static_assert(sizeof(absl::Mutex) == sizeof(long));

extern "C" void absl_lock(void *l) { static_cast<absl::Mutex *>(l)->Lock(); }
extern "C" void absl_unlock(void *l) { static_cast<absl::Mutex *>(l)->Unlock(); }
extern "C" bool absl_try_lock(void *l) { return static_cast<absl::Mutex *>(l)->TryLock(); }
/* Its graph would abort a program that takes locks in opposite orders before it comes to the deadlock. */
__attribute__((constructor)) static void no_detection() { absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore); }
